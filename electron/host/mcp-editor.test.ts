import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { fixture } from "./mcp/mcp.testkit.ts";
import type { McpEditor } from "./mcp-editor.ts";

let world: World;
let host: Host;
let editor: McpEditor;
let changing: object;
beforeEach(async () => {
  world = createWorld();
  const file = path.join(world.top, "tools.json");
  fs.writeFileSync(file, JSON.stringify([{ name: "a", inputSchema: { type: "object" } }]));
  changing = { command: process.execPath, args: [fixture("changing.mjs"), file] };
  world.write("config/mcp.json", `{\n  // mine\n  "mcpServers": { "s": ${JSON.stringify(changing)} }\n}\n`);
  world.write("ws/.mcp.json", JSON.stringify({ mcpServers: { theirs: changing } }));
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
  });
  editor = await host.mcpEditor();
});
afterEach(async () => {
  await host.stop();
  world.remove();
});
const written = (): string => fs.readFileSync(path.join(world.paths.config, "mcp.json"), "utf8");
const state = (name: string): string | undefined => host.mcp.rows().find((row) => row.name === name)?.state;
const never = new AbortController().signal;
const denied = { code: "denied" };

test("a server is edited in its place and waits again; what says the same changes nothing", async () => {
  const { json, editable, file } = editor.source("s");
  expect({ editable, file }).toEqual({ editable: true, file: path.join(world.paths.config, "mcp.json") });
  await editor.draft("s", json, true);
  expect(state("s")).toBe("stopped");
  await expect(editor.draft("s", json, false)).rejects.toMatchObject({ code: "already_exists" });
  await expect(editor.draft("nobody", json, true)).rejects.toMatchObject({ code: "not_found" });
  await editor.draft("s", JSON.stringify({ ...changing, env: { A: "1" } }), true);
  expect(state("s")).toBe("needs_approval");
  expect(written()).toContain("// mine");
  expect(JSON.parse(editor.source("s").json)).toEqual({ ...changing, env: { A: "1" } });
});

test("any server is copied under another name; only the user's own is removed", async () => {
  await editor.duplicate("theirs", "copy");
  expect(state("copy")).toBe("needs_approval");
  await expect(editor.remove("theirs")).rejects.toMatchObject(denied);
  await editor.remove("copy");
  expect(state("copy")).toBeUndefined();
  await editor.remove("s");
  expect(written()).toContain("// mine");
  expect(written()).not.toContain("changing");
});

test("what was shown is tried out once, and nothing of it stays; what is something else by now, or not trusted, is not started", async () => {
  await editor.duplicate("s", "copy");
  const { id, digest } = host.serverDeclaration({ name: "copy" });
  expect(await editor.test(id, digest, never)).toMatchObject({ state: "ready", tools: [{ name: "a" }] });
  expect(state("copy")).toBe("needs_approval");
  await expect(editor.test(id, "guess", never)).rejects.toMatchObject(denied);
  const theirs = host.serverDeclaration({ name: "theirs" });
  await expect(editor.test(theirs.id, theirs.digest, never)).rejects.toMatchObject({ code: "not_trusted" });
  await editor.draft(
    "broken",
    JSON.stringify({ command: process.execPath, args: ["-e", "process.exit(3)"] }),
    false,
  );
  const broken = host.serverDeclaration({ name: "broken" });
  expect(await editor.test(broken.id, broken.digest, never)).toMatchObject({
    state: "failed",
    tools: [],
    error: expect.stringContaining("3") as unknown,
  });
});

test("what is imported waits, and one that stands otherwise by now is refused without the others", async () => {
  fs.mkdirSync(path.join(world.workspace, ".cursor"));
  world.write("ws/.cursor/mcp.json", JSON.stringify({ mcpServers: { c: { command: "srv" } } }));
  const { rows } = await editor.importable();
  const { id = "" } = rows.find(({ name }) => name === "c") ?? {};
  expect(await editor.import(["gone", id])).toMatchObject({ drafted: ["c"], refused: [{ id: "gone" }] });
  expect(state("c")).toBe("needs_approval");
});
