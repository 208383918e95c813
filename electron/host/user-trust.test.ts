import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { appPaths } from "./config/paths.ts";
import { ConfigStore } from "./config/store.ts";
import { mcpDigest } from "./declarations.ts";
import { draftServer } from "./draft-server.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { realPath } from "./kit/files.ts";
import { createUserTrust, type UserTrust } from "./user-trust.ts";

const names = ["a", "b", "c", "d"];
const trustFile = (): string => path.join(root, "data/trust/user.json");
/** What the servers of `<config>/mcp.json` are to this host, by name. */
const states = (from = trust): Record<string, string> =>
  Object.fromEntries(
    foundation.config.current.mcp.map((declaration) => [
      declaration.name,
      from.stateOf(declaration, `mcp:user/${declaration.name}`, mcpDigest(declaration, foundation)),
    ]),
  );

let root: string;
let foundation: Foundation;
let trust: UserTrust;
beforeEach(async () => {
  root = realPath(mkdtempSync(path.join(os.tmpdir(), "nacre-user-trust-")));
  mkdirSync(path.join(root, "ws"));
  const env = {
    NACRE_CONFIG_DIR: path.join(root, "config"),
    NACRE_DATA_DIR: path.join(root, "data"),
    NACRE_CACHE_DIR: path.join(root, "cache"),
  };
  foundation = await createFoundation({
    workspace: path.join(root, "ws"),
    env,
    paths: appPaths(env, path.join(root, "home"), "linux"),
    version: "0",
    shell: "cli",
    canAsk: false,
    built: root,
  });
  trust = await createUserTrust(foundation);
});
afterEach(async () => {
  await foundation.disposables.dispose();
  foundation.log.close();
  rmSync(root, { recursive: true, force: true });
});
const server = () => {
  const declaration = foundation.config.current.mcp.find(({ name }) => name === "mine");
  if (!declaration) throw new Error("the server is not declared");
  return declaration;
};
const state = (from = trust) => from.stateOf(server(), "mcp:user/mine", mcpDigest(server(), foundation));

test("a drafted server waits, also after a file that it names has changed, and in every other workspace", async () => {
  writeFileSync(path.join(root, "ws/f"), "1");
  await draftServer(foundation, trust, { name: "mine", json: '{"command": "sh", "args": ["f"]}' });
  expect(state()).toBe("needs_approval");
  writeFileSync(path.join(root, "ws/f"), "2");
  expect(state()).toBe("needs_approval");
  mkdirSync(path.join(root, "other"));
  const elsewhere = await ConfigStore.open({ workspace: path.join(root, "other"), paths: foundation.paths });
  const [declaration] = elsewhere.current.mcp;
  const digest = declaration && mcpDigest(declaration, { workspace: path.join(root, "other"), env: {} });
  expect(declaration && trust.stateOf(declaration, "mcp:user/mine", digest ?? "")).toBe("needs_approval");
  await trust.approve("mcp:user/mine", mcpDigest(server(), foundation));
  expect(state()).toBe("approved");
  expect(state(await createUserTrust(foundation))).toBe("approved");
});
test("what the user wrote by hand counts as it stands, and a draft never replaces it", async () => {
  const file = path.join(root, "config/mcp.json");
  mkdirSync(path.dirname(file), { recursive: true });
  const text = '{\n  // mine\n  "mcpServers": { "mine": { "command": "x" } }\n}\n';
  writeFileSync(file, text);
  await foundation.config.reload();
  expect(state()).toBe("approved");
  await expect(
    draftServer(foundation, trust, { name: "mine", json: '{"command": "y"}' }),
  ).rejects.toMatchObject({
    code: "already_exists",
  });
  expect(readFileSync(file, "utf8")).toBe(text);
});
test("text that is no server is refused in plain words, and nothing is written", async () => {
  for (const json of ["{", "[]", "{}", '{"args": []}'])
    await expect(draftServer(foundation, trust, { name: "mine", json })).rejects.toMatchObject({
      code: "invalid_input",
    });
  expect(foundation.config.current.mcp).toEqual([]);
});

test("servers that are drafted at once wait, each of them", async () => {
  await Promise.all(names.map((name) => draftServer(foundation, trust, { name, json: '{"command": "x"}' })));
  expect(states()).toEqual({
    a: "needs_approval",
    b: "needs_approval",
    c: "needs_approval",
    d: "needs_approval",
  });
});
test("two hosts keep what each other drafted and approved, and take it in with the next look at the files", async () => {
  const other = await createUserTrust(foundation);
  await draftServer(foundation, trust, { name: "a", json: '{"command": "x"}' });
  await draftServer(foundation, other, { name: "b", json: '{"command": "y"}' });
  expect(states()).toEqual({ a: "needs_approval", b: "needs_approval" });
  expect(states(other)).toEqual(states());
  const digest = (name: string): string => {
    const found = foundation.config.current.mcp.find((one) => one.name === name);
    return found ? mcpDigest(found, foundation) : "";
  };
  let told = 0;
  other.onChange.on(() => told++);
  await Promise.all([
    trust.approve("mcp:user/a", digest("a")),
    other.draft("mcp:user/c", "d"),
    trust.draft("mcp:user/e", "d"),
  ]);
  await foundation.config.reload();
  expect(states(other)).toEqual({ a: "approved", b: "needs_approval" });
  expect(told).toBeGreaterThan(0);
  expect(Object.keys(JSON.parse(readFileSync(trustFile(), "utf8")).drafts).sort()).toEqual([
    "mcp:user/b",
    "mcp:user/c",
    "mcp:user/e",
  ]);
});
test("where nobody can tell which servers wait, all of them do; the file is left to the person and named", async () => {
  await draftServer(foundation, trust, { name: "a", json: '{"command": "x"}' });
  const good = readFileSync(trustFile(), "utf8");
  for (const text of [
    "{ broken",
    "",
    "[]",
    "null",
    '{"drafts": [], "approved": {}}',
    '{"drafts": {"x": 1}, "approved": {}}',
  ]) {
    writeFileSync(trustFile(), text);
    await foundation.config.reload();
    expect([text, states()]).toEqual([text, { a: "needs_approval" }]);
    expect(foundation.diagnostics.all().filter(({ path: file }) => file === trustFile())).toMatchObject([
      { code: "user-trust-broken", severity: "error", fix: expect.stringContaining("mcp.json") },
    ]);
    await expect(trust.approve("mcp:user/a", "d")).rejects.toMatchObject({ code: "configuration" });
    await expect(
      draftServer(foundation, trust, { name: "z", json: '{"command": "x"}' }),
    ).rejects.toMatchObject({
      code: "configuration",
    });
    expect(readFileSync(trustFile(), "utf8")).toBe(text);
  }
  rmSync(trustFile());
  mkdirSync(trustFile());
  expect(states(await createUserTrust(foundation))).toEqual({ a: "needs_approval" });
  rmSync(trustFile(), { recursive: true });
  writeFileSync(trustFile(), good);
  await foundation.config.reload();
  expect(foundation.diagnostics.all()).toEqual([]);
});
test("of two servers that are drafted by one name at once the first one stands", async () => {
  const drafts = ["x", "y"].map((command) =>
    draftServer(foundation, trust, { name: "mine", json: JSON.stringify({ command }) }),
  );
  const results = await Promise.allSettled(drafts);
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(state()).toBe("needs_approval");
});
