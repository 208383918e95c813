import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { NacreError } from "../../shared/errors.ts";
import { silentLogger } from "../host/kit/log.ts";
import type { BoundHost, HostHandlers } from "../host/rpc.ts";
import { Topics } from "../host/topics.ts";
import { serve, type Served } from "./serve.ts";

let folder: string;
let served: Served;
const opened: string[] = [];
const closed: string[] = [];
/** Set to make the next close fail. */
let closeFailure: Error | undefined;
beforeEach(async () => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "nacre-serve-")));
  opened.splice(0);
  closed.splice(0);
  closeFailure = undefined;
  for (const name of ["one", "two", "renderer"]) mkdirSync(path.join(folder, name));
  writeFileSync(path.join(folder, "renderer/index.html"), "<title>Nacre</title>");
  served = await serve({
    port: 0,
    workspace: path.join(folder, "one"),
    workspaces: {
      open: (name) => Promise.resolve(hostOf(name)),
      close(name) {
        closed.push(name);
        return closeFailure ? Promise.reject(closeFailure) : Promise.resolve();
      },
    },
    renderer: path.join(folder, "renderer"),
    env: { CI: "1" },
  });
});
afterEach(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A host that knows its folder and one method. */
function hostOf(workspace: string): BoundHost {
  if (workspace.endsWith("none")) throw new NacreError("not_found", `there is no folder ${workspace}`);
  opened.push(workspace);
  const handlers: Partial<HostHandlers> = { "mcp.logs": () => ({ lines: [workspace] }) };
  return { workspace, handlers: handlers as HostHandlers, topics: new Topics("epoch"), log: silentLogger };
}
/** One page: its token from the address, its calls answered in order. */
async function page(): Promise<{ call(method: string, input: object): Promise<unknown>; close(): void }> {
  const { origin, hash } = new URL(served.url);
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  await new Promise((resolve) => socket.once("open", resolve));
  socket.send(JSON.stringify({ token: new URLSearchParams(hash.slice(1)).get("token") }));
  let lastId = 0;
  const call = (method: string, input: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = ++lastId;
      socket.on("message", (data) => {
        const answer = JSON.parse((data as Buffer).toString()) as { id: number; result: unknown };
        if (answer.id === id) resolve(answer.result);
      });
      socket.send(JSON.stringify({ id, method, input }));
    });
  return { call, close: () => socket.terminate() };
}

test("the address carries the token where no server sees it, and the page comes with its policy", async () => {
  const url = new URL(served.url);
  expect(url.hostname).toBe("127.0.0.1");
  expect(url.hash).toMatch(/^#token=[\w-]{43}$/);
  expect(served.pid).toBe(process.pid);
  const response = await fetch(url.origin);
  expect(await response.text()).toBe("<title>Nacre</title>");
  expect(response.headers.get("content-security-policy")).toContain(
    `connect-src 'self' ws://127.0.0.1:${url.port};`,
  );
});
test("a page speaks to the folder; opening another one makes the next page speak to that", async () => {
  const first = await page();
  const logs = (folderName: string): object => ({
    ok: true,
    value: { lines: [path.join(folder, folderName)] },
  });
  expect(await first.call("mcp.logs", { name: "x" })).toEqual(logs("one"));
  const two = path.join(folder, "two");
  expect(await first.call("app.openFolder", { path: two })).toEqual({
    ok: true,
    value: { path: two, reload: true },
  });
  // Until it has loaded itself again a page stays where it was.
  expect(await first.call("mcp.logs", { name: "x" })).toEqual(logs("one"));
  const second = await page();
  expect(await second.call("mcp.logs", { name: "x" })).toEqual(logs("two"));
  expect(opened).toEqual([path.join(folder, "one"), two]);
  first.close();
  second.close();
});
test("the folder that is left is closed; one that is opened again or cannot be opened is not", async () => {
  const one = path.join(folder, "one");
  const first = await page();
  await first.call("app.openFolder", { path: one });
  await first.call("app.openFolder", { path: path.join(folder, "none") });
  expect(closed).toEqual([]);
  await first.call("app.openFolder", { path: path.join(folder, "two") });
  expect(closed).toEqual([one]);
  first.close();
});
test("a folder that cannot be closed keeps nobody from the next one", async () => {
  closeFailure = new Error("a server does not end");
  const two = path.join(folder, "two");
  const first = await page();
  expect(await first.call("app.openFolder", { path: two })).toMatchObject({ value: { path: two } });
  const second = await page();
  expect(await second.call("mcp.logs", { name: "x" })).toMatchObject({ value: { lines: [two] } });
  first.close();
  second.close();
});
test("what the browser shell cannot do is said", async () => {
  const one = await page();
  expect(await one.call("app.pickFolder", {})).toEqual({ ok: true, value: null });
  expect(await one.call("app.openFolder", { path: path.join(folder, "none") })).toMatchObject({
    ok: false,
    error: { code: "not_found" },
  });
  expect(await one.call("mcp.logs", { name: "x" })).toMatchObject({ ok: true });
  expect(await one.call("app.openLink", { url: "file:///etc/passwd" })).toMatchObject({
    error: { code: "denied" },
  });
  expect(await one.call("app.openLink", { url: "https://example.com" })).toMatchObject({
    error: { code: "unavailable" },
  });
  one.close();
});
test("after close nothing answers", async () => {
  const { origin } = new URL(served.url);
  await served.close();
  await expect(fetch(origin)).rejects.toThrow();
});
