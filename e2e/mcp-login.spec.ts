import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());

test("nacre mcp login prints the page to sign in at and waits for it; logout needs no server", async () => {
  world = await createWorld({ steps: [] });
  const fixture = path.join(root, "e2e/fixtures/authorization-server.mjs");
  const far = spawn(process.execPath, [fixture], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(createInterface({ input: far.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  writeFileSync(path.join(world.config, "mcp.json"), JSON.stringify({ mcpServers: { far: { url } } }));
  const nacre = (...args: string[]) =>
    spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), "mcp", ...args], {
      cwd: world.workspace,
      env: world.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
  const login = nacre("login", "far");
  let stdout = "";
  login.stdout.on("data", (chunk) => (stdout += String(chunk)));
  let seen = "";
  for await (const told of createInterface({ input: login.stderr })) {
    seen += `${told}\n`;
    if (!told.startsWith("http")) continue;
    // The person agrees, and is sent back.
    const { headers } = await fetch(told.trim(), { redirect: "manual" });
    await fetch(headers.get("location") ?? "");
  }
  if (login.exitCode === null) await once(login, "exit");
  expect(login.exitCode, seen).toBe(0);
  expect(stdout).toContain("far is ready: 1 tools");
  const listed = nacre("list");
  let rows = "";
  listed.stdout.on("data", (chunk) => (rows += String(chunk)));
  await once(listed, "close");
  // Where there is no keyring nothing is kept; where there is one, the list needs nobody.
  expect(rows).toMatch(/far +(ready|needs_setup)/);
  const ended = once(far, "exit");
  far.kill();
  await ended;
  const logout = nacre("logout", "far");
  expect((await once(logout, "exit"))[0]).toBe(0);
});
