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
  await draftServer(foundation, trust, "mine", '{"command": "sh", "args": ["f"]}');
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
  await expect(draftServer(foundation, trust, "mine", '{"command": "y"}')).rejects.toMatchObject({
    code: "already_exists",
  });
  expect(readFileSync(file, "utf8")).toBe(text);
});
test("text that is no server is refused in plain words, and nothing is written", async () => {
  for (const json of ["{", "[]", "{}", '{"args": []}'])
    await expect(draftServer(foundation, trust, "mine", json)).rejects.toMatchObject({
      code: "invalid_input",
    });
  expect(foundation.config.current.mcp).toEqual([]);
});
