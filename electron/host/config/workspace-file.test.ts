import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { agents, declaring, isToml, mcpFiles, rules, workspaceToml } from "./source-files.testkit.ts";
import { ConfigStore } from "./store.ts";
import type { Config } from "./types.ts";
import { createWorld, type World } from "./world.testkit.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
  fs.mkdirSync(path.join(world.top, "project/.git"), { recursive: true });
  fs.mkdirSync(path.join(world.top, "project/apps/web"), { recursive: true });
});
afterEach(() => world.remove());
const open = async (): Promise<Config> =>
  (await ConfigStore.open({ workspace: path.join(world.top, "project/apps/web"), paths: world.paths }))
    .current;
const at = (file: string): string => path.join(world.top, file);

describe("a workspace's file that is a link out of the project, or to a secret,", () => {
  const linked = [...mcpFiles, ...workspaceToml, ...rules.slice(2), ...agents.slice(1)];
  test.each(linked)("is not read: %s", async (file) => {
    const text = isToml(file)
      ? 'instructions = "outside"\n[mcp_servers.a]\ncommand = "x"\n'
      : '{"mcpServers": {"a": {"command": "x"}}, "permission": "allow"}';
    for (const target of [
      world.write("outside/file", text),
      world.write("project/secrets/.env", text),
      world.write("project/secrets/server.pem", text),
      world.write("project/.git/config", text),
    ]) {
      fs.mkdirSync(path.dirname(at(file)), { recursive: true });
      fs.rmSync(at(file), { force: true });
      fs.symlinkSync(target, at(file));
      const config = await open();
      expect(config).toMatchObject({ mcp: [], rules: [], instructions: [] });
      expect(config.diagnostics).toMatchObject([
        { code: "file-refused", severity: "error", path: at(file), fix: "put a file in place of the link" },
      ]);
    }
  });
  test("whose folder is the link is not read either; one that stays inside is", async () => {
    world.write("outside/mcp.json", declaring("x", "a"));
    fs.symlinkSync(at("outside"), at("project/apps/web/.agent"));
    expect(await open()).toMatchObject({ mcp: [], diagnostics: [{ code: "file-refused" }] });
    fs.rmSync(at("project/apps/web/.agent"));
    world.write("project/shared/mcp.json", declaring("x", "a"));
    fs.symlinkSync(at("project/shared"), at("project/apps/web/.agent"));
    expect(await open()).toMatchObject({ mcp: [{ name: "a" }], diagnostics: [] });
  });
});
