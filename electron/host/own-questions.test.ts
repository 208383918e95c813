import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ApprovalAnswer, ApprovalView } from "../../shared/approval.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import type { Asking } from "./own-questions.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";

let world: World;
let host: Host;
const never = new AbortController().signal;
const asking: Asking = { sessionId: null, signal: never };
const declaration = (args: readonly string[]): string =>
  JSON.stringify({ mcpServers: { files: { command: "node", args } } });
const settingsFile = (): string => path.join(world.paths.config, "settings.json");
const settings = (): Record<string, unknown> => JSON.parse(fs.readFileSync(settingsFile(), "utf8"));
const open = async (more: Partial<HostOptions> = {}): Promise<void> => {
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
    ...more,
  });
};
beforeEach(() => {
  world = createWorld();
  world.write("config/settings.json", "{}");
  world.write("ws/.mcp.json", declaration(["server.js", "a b"]));
});
afterEach(async () => {
  await host.stop();
  world.remove();
});
const asked = (): Promise<ApprovalView> =>
  vi.waitFor(() => {
    const view = host.broker.pending()[0];
    if (!view) throw new Error("nothing is asked");
    return view;
  });
const answer = async (given: ApprovalAnswer, before?: () => void): Promise<ApprovalView> => {
  const view = await asked();
  before?.();
  host.broker.answer(view.id, view.digest, given);
  return view;
};
/** What a chat answers to a slash command. */
const say = async (text: string) => (await host.chats.create().send(text)).turn;

describe("trusting by a slash command in a window", () => {
  test("asks with every command that would start, and a denial leaves the folder untrusted", async () => {
    await open();
    const turn = say("/plugins trust");
    const view = await answer({ choice: "deny" });
    expect(view).toMatchObject({
      origin: "builtin",
      because: [{ code: "trust", detail: world.workspace }],
      rule: null,
      careful: true,
      facts: [
        { label: "folder", values: [world.workspace] },
        { label: "declared", values: [expect.stringMatching(/^mcp files \(.*\.mcp\.json\)$/)] },
        { label: "command", values: ["node", "server.js", "a b"] },
      ],
    });
    expect(view.sessionId).not.toBeNull();
    expect(JSON.stringify(await turn)).toContain("nothing was changed: the user said no");
    expect(host.trust.isTrusted()).toBe(false);
  });
  test("trusts what was shown after a yes", async () => {
    await open();
    const turn = say("/plugins trust");
    await answer({ choice: "once" });
    expect(await turn).toMatchObject({ stopReason: "end" });
    expect(host.waiting()).toEqual([]);
    expect(host.trust.isTrusted()).toBe(true);
  });
  test("is void where a declaration changes while the question is open", async () => {
    await open();
    const turn = say("/plugins trust");
    await asked();
    world.write("ws/.mcp.json", declaration(["other.js"]));
    await host.reload("mcp");
    await vi.waitFor(() => expect(host.declarations()[0]?.row.runs[0]?.command).toContain("other.js"));
    await answer({ choice: "once" });
    expect(JSON.stringify(await turn)).toContain("no longer what was shown");
    expect(host.trust.isTrusted()).toBe(false);
  });
  test("a stopped turn takes its question back", async () => {
    await open();
    const session = host.chats.create();
    const { turn } = await session.send("/plugins trust");
    await asked();
    await session.stop();
    await turn;
    expect(host.broker.pending()).toEqual([]);
    expect(host.trust.isTrusted()).toBe(false);
  });
  test("on the command line it is the person who typed it: nothing is asked", async () => {
    await open({ shell: "cli", canAsk: true });
    expect(await say("/plugins trust")).toMatchObject({ stopReason: "end" });
    expect(host.trust.isTrusted()).toBe(true);
  });
});

describe("settings under which more would be allowed", () => {
  test.each([
    [
      "settings.set",
      () =>
        Promise.resolve(
          host.handlers["settings.set"]({ sandbox: "full_access", networkAccess: true }, never),
        ),
      ["policy.sandbox: workspace_write → full_access", "policy.network_access: false → true"],
    ],
    ["a slash command", () => say("/sandbox full_access"), ["policy.sandbox: workspace_write → full_access"]],
  ])("%s: asked first, and a denial writes nothing", async (_name, change, shown) => {
    await open();
    const changing = change().then(
      (value: unknown) => value,
      (error: unknown) => ({ error }),
    );
    const view = await answer({ choice: "deny", note: "no" });
    expect(view).toMatchObject({
      because: [{ code: "widen_policy" }],
      rule: null,
      facts: [{ label: "change", values: shown }],
    });
    expect(await changing).toMatchObject({ error: { code: "denied", message: "nothing was changed: no" } });
    expect(settings()).toEqual({});
  });
  test("are written after a yes", async () => {
    await open();
    const changing = host.changeSettings({ sandbox: "full_access" }, asking);
    await answer({ choice: "once" });
    await changing;
    expect(settings()).toEqual({ policy: { sandbox: "full_access" } });
  });
  test("a second folder waits until the first one is answered; what another app wrote meanwhile stays, and one that goes goes alone", async () => {
    const [first, second, third] = ["a", "b", "c"].map((name) => path.join(world.top, name));
    for (const folder of [first, second, third]) fs.mkdirSync(String(folder));
    await open();
    const adding = host.changeSettings({ addRoot: String(first) }, asking);
    await asked();
    // Another app has written the file meanwhile.
    fs.writeFileSync(settingsFile(), JSON.stringify({ policy: { writable_roots: [third] } }));
    await expect(host.changeSettings({ addRoot: String(second) }, asking)).rejects.toThrow("open already");
    await answer({ choice: "once" });
    await adding;
    expect(settings()).toEqual({ policy: { writable_roots: [third, first] } });
    const next = host.changeSettings({ addRoot: String(second) }, asking);
    await answer({ choice: "once" });
    await next;
    expect(settings()).toEqual({ policy: { writable_roots: [third, first, second] } });
    await host.changeSettings({ removeRoot: first }, asking);
    expect(settings()).toEqual({ policy: { writable_roots: [third, second] } });
  });
  test("what narrows, and what is no policy, is never asked about", async () => {
    await open();
    await host.changeSettings(
      { sandbox: "read_only", approval: "always", theme: "dark", model: null },
      asking,
    );
    expect(host.broker.pending()).toEqual([]);
    expect(settings()).toMatchObject({ policy: { sandbox: "read_only", approval: "always" } });
  });
  test("a window that goes away takes its question back", async () => {
    await open();
    const life = new AbortController();
    const changing = Promise.resolve(host.handlers["settings.set"]({ sandbox: "full_access" }, life.signal));
    const refused = expect(changing).rejects.toThrow();
    await asked();
    life.abort();
    await refused;
    expect([host.broker.pending(), settings()]).toEqual([[], {}]);
  });
});

describe("stored rules", () => {
  const rule = { tool: "run_shell", pattern: "echo hi" };
  test("one that allows is removed at once, also from what this session remembers", async () => {
    world.write("config/settings.json", JSON.stringify({ policy: { approval: "always" } }));
    await open();
    const call = () => say('/call run_shell {"command": "echo hi"}');
    const session = host.chats.create();
    const again = async () => (await session.send('/call run_shell {"command": "echo hi"}')).turn;
    const first = again();
    await answer({ choice: "always" });
    await first;
    expect(settings()["remembered"]).toEqual({ [world.workspace]: ["run_shell:echo hi"] });
    expect((await again()).toolCalls).toMatchObject([{ decision: "asked_allow" }]);
    await host.removeRule(rule, { sessionId: null, signal: never });
    for (const next of [again, call]) {
      const turn = next();
      await answer({ choice: "deny" });
      expect((await turn).toolCalls).toMatchObject([{ decision: "asked_deny" }]);
    }
  });
  test("one that denies is removed only after a yes", async () => {
    world.write("config/settings.json", JSON.stringify({ permission: { run_shell: { "echo hi": "deny" } } }));
    await open();
    const removing = host.removeRule(rule, { sessionId: null, signal: never });
    const refused = expect(removing).rejects.toMatchObject({ code: "denied" });
    const view = await answer({ choice: "deny" });
    await refused;
    expect(view.facts[0]?.values).toEqual(["permission run_shell:echo hi: deny → no rule"]);
    expect(settings()).toEqual({ permission: { run_shell: { "echo hi": "deny" } } });
  });
});

test("a thousand changes that widen the policy open one question, and another conversation's still comes through", async () => {
  await open();
  const changes = Array.from({ length: 1000 }, () =>
    host.changeSettings({ sandbox: "full_access" }, asking).then(
      () => "changed",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    ),
  );
  await asked();
  expect(host.broker.pending()).toHaveLength(1);
  await answer({ choice: "deny" });
  const results = await Promise.all(changes);
  expect(results.filter((text) => text.includes("open already"))).toHaveLength(999);
  expect(settings()).toEqual({});
  const again = host.changeSettings({ sandbox: "full_access" }, asking);
  await answer({ choice: "once" });
  await again;
});
