import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManagedWorld } from "./skill-files/world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const git = (...args: readonly string[]): void =>
  void execFileSync("git", ["-c", "user.name=n", "-c", "user.email=n@localhost", ...args], {
    cwd: managed.world.workspace,
  });
/** A trusted repository with a skill and a server, and a linked worktree of it. */
async function openWorktree(): Promise<void> {
  managed.skill("pdf");
  managed.world.write("ws/.mcp.json", JSON.stringify({ mcpServers: { one: { command: "true" } } }));
  managed.world.write("ws/apps/web/.gitkeep", "");
  git("init", "-q");
  git("add", ".");
  git("commit", "-q", "-m", "all");
  git("worktree", "add", "-q", managed.at("wt"));
  await managed.open();
  await managed.host.trustWorkspace(managed.host.declarations());
  await managed.open({ workspace: managed.at("wt") });
}
const untrustedReason = async () =>
  (await managed.call("skills.explain", { name: "pdf" })).verdicts[0]?.reasons.find(({ code }) =>
    code.endsWith("untrusted"),
  );

test("a worktree of a trusted repository lists its own skills, starts nothing, and says why it asks again", async () => {
  await openWorktree();
  expect(managed.host.skills.rows().find(({ name }) => name === "pdf")).toMatchObject({
    path: managed.at("wt/.agent/skills/pdf/SKILL.md"),
    state: "on",
    trusted: false,
  });
  expect(managed.host.declarations().map(({ state }) => state)).toEqual(["untrusted"]);
  expect(managed.host.trust.worktreeOf()).toBe(managed.world.workspace);
  expect(await untrustedReason()).toEqual({
    code: "worktree_untrusted",
    detail: managed.world.workspace,
  });
});
test("trust that is given to the worktree is its own, and there is nothing left to explain", async () => {
  await openWorktree();
  await managed.host.trustWorkspace(managed.host.declarations());
  expect(managed.host.declarations().map(({ state }) => state)).toEqual(["approved"]);
  expect(managed.host.trust.worktreeOf()).toBeUndefined();
  expect(await untrustedReason()).toBeUndefined();
});
test("a folder that only claims to be a worktree of a trusted one is told as any other", async () => {
  await openWorktree();
  fs.mkdirSync(managed.at("claims"));
  fs.copyFileSync(managed.at("wt/.git"), managed.at("claims/.git"));
  managed.skill("pdf", { root: "claims/.agent/skills" });
  await managed.open({ workspace: managed.at("claims") });
  expect(await untrustedReason()).toEqual({ code: "workspace_untrusted" });
});
test("a folder in the worktree is compared with the same folder of the main one", async () => {
  await openWorktree();
  await managed.open({ workspace: managed.at("wt/apps/web") });
  expect(managed.host.trust.worktreeOf()).toBeUndefined();
  await managed.open({ workspace: managed.at("ws/apps/web") });
  await managed.host.trustWorkspace([]);
  await managed.open({ workspace: managed.at("wt/apps/web") });
  expect(managed.host.trust.worktreeOf()).toBe(managed.at("ws/apps/web"));
});
