import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SettingsView, WorkspaceEvent, WorkspaceView } from "../../shared/workspace.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";

let world: World;
let host: Host | undefined;
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  world.remove();
});
async function open(part: Partial<HostOptions> = {}): Promise<Host> {
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
    ...part,
  });
  return host;
}
/** What a window is told of the settings, and what it hears later. */
async function look(opened: Host): Promise<{ now: SettingsView; heard: SettingsView[] }> {
  const heard: SettingsView[] = [];
  const { answer } = await opened.topics.subscribe("workspace", undefined, (_, event) => {
    const told = event as WorkspaceEvent;
    if (told.type === "slice" && told.slice.settings) heard.push(told.slice.settings);
  });
  if (!("snapshot" in answer)) throw new Error("no snapshot");
  return { now: (answer.snapshot as WorkspaceView).settings, heard };
}
const answersOf = ({ gate }: SettingsView): string[] =>
  gate.map(({ perm, where, answer }) => `${perm} ${where} ${answer}`);

test("the table that the window shows is the gate's own, and follows the policy at once", async () => {
  world.write("config/settings.json", JSON.stringify({ policy: { sandbox: "read_only" } }));
  const opened = await open();
  const { now, heard } = await look(opened);
  expect(answersOf(now)).toContain("write any deny");
  await opened.changeSettings({ sandbox: "workspace_write", networkAccess: false });
  await vi.waitFor(() => expect(heard.map(answersOf).at(-1)).toContain("write inside allow"));
  expect(heard.map(answersOf).at(-1)).toContain("net any ask");
});

test("without a program to confine commands the table and the state say so", async () => {
  const { now } = await look(await open({ env: { PATH: world.top } }));
  expect(now.sandboxState).toMatchObject({ kind: null, ok: false });
  expect(answersOf(now)).toContain("shell unconfined ask");
});

test("every rule is told in its order with its source; answers come last; an untrusted file's are marked", async () => {
  const project = path.join(world.workspace, "dropstone.json");
  world.write(
    "config/settings.json",
    JSON.stringify({
      permission: { run_shell: { "git *": "allow" } },
      agent: { reviewer: { permission: { write_file: "deny" } } },
      remembered: { [world.workspace]: ["run_shell:make"] },
    }),
  );
  world.write("ws/dropstone.json", JSON.stringify({ permission: { fetch_url: "allow" } }));
  world.write(
    "config/agents/reviewer.md",
    "---\nname: reviewer\ndescription: reads\npermission:\n  run_shell: ask\n---\nRead.\n",
  );
  const { now } = await look(await open({ policy: { allow: ["mcp__git__*"] } }));
  const told = now.rules.map((rule) => [
    `${rule.tool}:${rule.pattern}`,
    rule.answer,
    rule.source,
    rule.trusted,
    rule.role,
  ]);
  expect(told).toEqual([
    ["run_shell:git *", "allow", "settings", true, undefined],
    ["fetch_url:*", "allow", `dropstone:${project}`, false, undefined],
    ["write_file:*", "deny", "settings", true, "reviewer"],
    ["run_shell:*", "ask", "role:reviewer", true, "reviewer"],
    ["run_shell:make", "allow", "always", true, undefined],
    ["mcp__git__*:*", "allow", "allow", true, undefined],
  ]);
});
