import fs from "node:fs";
import { createServer } from "node:net";
import { createRequire } from "node:module";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { spawn, type Child } from "../kit/process.ts";
import { declare, World } from "./mcp.testkit.ts";

// A real server from npm, over both transports.
const manifest = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/package.json",
);
const program = path.join(path.dirname(manifest), "dist/index.js");
let world: World;
let child: Child | undefined;
afterEach(async () => {
  await child?.stop();
  child = undefined;
  expect(await world.end()).toEqual([]);
});

async function isAllRight(name: string): Promise<void> {
  expect(world.row(name)).toMatchObject({ state: "ready", startMs: expect.any(Number) });
  expect(world.row(name).toolCount).toBeGreaterThan(10);
  expect(await world.call(name, "echo", { message: "héllo" })).toBe("Echo: héllo");
  expect(await world.call(name, "get-sum", { a: 2, b: 3 })).toContain("5");
  const signal = new AbortController().signal;
  const structured = await world.mcp.call(
    name,
    "get-structured-content",
    { location: "New York" },
    {},
    signal,
  );
  expect(structured.structuredContent).toMatchObject({ temperature: expect.any(Number) });
  const image = await world.mcp.call(name, "get-tiny-image", {}, {}, signal);
  expect(image.content).toContainEqual(expect.objectContaining({ type: "image", mimeType: "image/png" }));
  const refused = await world.mcp.call(name, "get-sum", { a: "x" }, {}, signal);
  expect(refused).toMatchObject({ isError: true });
  const steps: string[] = [];
  await world.call(
    name,
    "trigger-long-running-operation",
    { duration: 0.3, steps: 3 },
    { onOutput: (t) => steps.push(t) },
  );
  expect(steps.length).toBeGreaterThan(0);
}

describe("server-everything", () => {
  it("over stdio", async () => {
    world = new World([declare("everything", { command: process.execPath, args: [program] })]);
    expect(await world.start()).toEqual([]);
    await isAllRight("everything");
    expect(world.mcp.instructions()).toEqual([
      { server: "everything", text: expect.stringContaining("Server") },
    ]);
    await world.mcp.stopServer("everything");
    expect(world.row("everything").state).toBe("stopped");
  });
  it("over Streamable HTTP", async () => {
    const port = await freePort();
    child = await spawn({
      command: process.execPath,
      args: [program, "streamableHttp"],
      env: { ...process.env, PORT: String(port) },
    });
    const { stdout, stderr } = child;
    await new Promise<void>((resolve) => {
      for (const stream of [stdout, stderr])
        stream.on("data", (chunk) => /listening/i.test(String(chunk)) && resolve());
    });
    world = new World([declare("everything", { url: `http://127.0.0.1:${port}/mcp` })]);
    expect(await world.start()).toEqual([]);
    expect(world.row("everything").transport).toBe("streamable_http");
    await isAllRight("everything");
  });
  it("is installed", () => {
    expect(fs.existsSync(program)).toBe(true);
  });
});

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
