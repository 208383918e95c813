import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ConfigStore } from "../config/store.ts";
import { createWorld, type World } from "../config/world.testkit.ts";
import { TrustStore } from "./trust.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

async function open(
  workspace = world.workspace,
): Promise<{ config: ConfigStore; trust: TrustStore; told: () => number }> {
  const config = await ConfigStore.open({ workspace, paths: world.paths });
  const trust = new TrustStore({ config, paths: world.paths, workspace, clock: { now: () => 0 } });
  let count = 0;
  trust.onChange.on(() => count++);
  return { config, trust, told: () => count };
}
const server = { id: "mcp:workspace/a", digest: "d1" };

test("nothing is trusted before somebody says so", async () => {
  const { trust } = await open();
  expect(trust.isTrusted()).toBe(false);
  expect(trust.stateOf(server)).toBe("untrusted");
});
test("trust covers what is declared now, at once; what is new or changed waits", async () => {
  const { trust, told } = await open();
  await trust.trust([server]);
  expect(trust.stateOf(server)).toBe("approved");
  expect(trust.stateOf({ ...server, digest: "d2" })).toBe("needs_approval");
  expect(trust.stateOf({ id: "mcp:workspace/b", digest: "d1" })).toBe("needs_approval");
  expect(told()).toBeGreaterThan(0);
  expect(world.readSettings()).toEqual({ trusted_workspaces: [world.workspace] });
  await trust.approve({ ...server, digest: "d2" });
  expect(trust.stateOf({ ...server, digest: "d2" })).toBe("approved");
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("settings hold paths alone, approvals their own file; both outlive the host", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  expect(JSON.parse(fs.readFileSync(trust.file, "utf8"))).toEqual({
    v: 1,
    workspace: world.workspace,
    at: "1970-01-01T00:00:00.000Z",
    approved: { "mcp:workspace/a": "d1" },
  });
  expect((await open()).trust.stateOf(server)).toBe("approved");
});
test("trust is of the real path: a link to it is it, a folder beside it is not", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  const link = path.join(world.top, "link");
  fs.symlinkSync(world.workspace, link);
  expect((await open(link)).trust.stateOf(server)).toBe("approved");
  fs.mkdirSync(path.join(world.workspace, "sub"));
  expect((await open(path.join(world.workspace, "sub"))).trust.isTrusted()).toBe(false);
});
test("a path in settings without approvals trusts nothing that runs", async () => {
  world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.workspace] }));
  const { trust } = await open();
  expect(trust.isTrusted()).toBe(true);
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("taking trust away forgets the approvals and is told", async () => {
  world.write("config/settings.json", '{ "trusted_workspaces": ["/other"] }');
  const { trust, told } = await open();
  await trust.trust([server]);
  const before = told();
  await trust.untrust();
  expect(told()).toBeGreaterThan(before);
  expect(trust.stateOf(server)).toBe("untrusted");
  expect(fs.existsSync(trust.file)).toBe(false);
  expect(world.readSettings()).toEqual({ trusted_workspaces: ["/other"] });
  await trust.trust([]);
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("what another host did counts after the next reload", async () => {
  const mine = await open();
  const other = await open();
  await other.trust.trust([server]);
  expect(mine.trust.isTrusted()).toBe(false);
  await mine.config.reload();
  expect(mine.trust.stateOf(server)).toBe("approved");
  expect(mine.told()).toBe(1);
  await other.trust.approve({ id: "mcp:workspace/b", digest: "d9" });
  await mine.trust.approve({ id: "mcp:workspace/c", digest: "d8" });
  expect(mine.trust.stateOf({ id: "mcp:workspace/b", digest: "d9" })).toBe("approved");
});
test("a broken approvals file approves nothing, and says so", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  fs.writeFileSync(trust.file, '{"approved": ');
  const again = (await open()).trust;
  expect(again.stateOf(server)).toBe("needs_approval");
  expect(again.diagnostics()).toMatchObject([{ code: "trust-broken", path: trust.file }]);
  await again.trust([server]);
  expect(again.diagnostics()).toEqual([]);
  expect(again.stateOf(server)).toBe("approved");
});
