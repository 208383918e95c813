import fs from "node:fs";
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
const asking = { sessionId: null, signal: new AbortController().signal };
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
  const change = opened.changeSettings({ sandbox: "workspace_write", networkAccess: false }, asking);
  await vi.waitFor(() => expect(opened.broker.pending()).toHaveLength(1));
  expect(heard).toEqual([]);
  for (const { id, digest } of opened.broker.pending()) opened.broker.answer(id, digest, { choice: "once" });
  await change;
  await vi.waitFor(() => expect(heard.map(answersOf).at(-1)).toContain("write inside allow"));
  expect(heard.map(answersOf).at(-1)).toContain("net any ask");
});

test("an allow of a file that waits again is not told as a rule that counts", async () => {
  const opened = await open();
  await opened.trustWorkspace(opened.declarations());
  const file = (permission: object): void =>
    void world.write("ws/dropstone.json", JSON.stringify({ permission }));
  file({ fetch_url: "allow", glob: "deny" });
  const { now } = await look(await open());
  expect(now.rules.map(({ tool, answer, trusted }) => [tool, answer, trusted])).toEqual([
    ["fetch_url", "allow", false],
    ["glob", "deny", false],
  ]);
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

test.each([
  ["when the window's host starts", (opened: Host): Promise<unknown> => opened.start()],
  ["when somebody looks", (opened: Host): Promise<unknown> => opened.doctor()],
])("a sandbox that does not work is found out %s, and window and table hear of it", async (_when, find) => {
  fs.writeFileSync(path.join(world.top, "bwrap"), "#!/bin/sh\necho no namespaces here\nexit 1\n", {
    mode: 0o755,
  });
  const opened = await open({ env: { PATH: `${world.top}${path.delimiter}/bin` } });
  const { now, heard } = await look(opened);
  expect(now.sandboxState).toEqual({ kind: "bubblewrap", ok: true });
  await find(opened);
  await vi.waitFor(() => expect(heard.at(-1)?.sandboxState).toMatchObject({ ok: false }));
  expect(heard.at(-1)?.sandboxState.reason).toContain("no namespaces here");
  expect(heard.map(answersOf).at(-1)).toContain("shell unconfined ask");
});

test("a writable folder that is not there is refused before anybody is asked, and nothing is written", async () => {
  const opened = await open();
  const missing = path.join(world.top, "missing");
  await expect(opened.changeSettings({ addRoot: missing }, asking)).rejects.toThrow(
    `there is no folder ${missing}`,
  );
  expect(opened.broker.pending()).toEqual([]);
  expect(fs.existsSync(path.join(world.paths.config, "settings.json"))).toBe(false);
});
