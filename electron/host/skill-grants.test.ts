import fs from "node:fs";
import { describe, expect, test } from "vitest";
import type { Step } from "../../e2e/fixtures/model-server.mjs";
import {
  answer,
  answers,
  asked,
  host,
  notices,
  open,
  say,
  sayOnce,
  setSettings,
  skillText,
  traceOf,
  userSkill,
  userTexts,
  workspaceSkill,
  world,
} from "./skill-use.testkit.ts";

const uses = "allowed-tools: Read, Bash(touch:*), WebSearch";
const touch = (file: string): Step => ({
  toolCalls: [{ name: "run_shell", input: { command: `touch ${file}` } }],
});
const exists = (file: string): boolean => fs.existsSync(`${world.workspace}/${file}`);
/** Every command asks, unless something allows it. */
const always = { policy: { approval: "always", sandbox: "full_access" } };

describe("what a skill asks to be allowed", () => {
  test("is one question with the skill, its file and the exact rules, and holds for that turn alone", async () => {
    setSettings(always);
    const file = userSkill("ship", uses, "Ship.");
    answers(touch("one"), touch("two"), { text: "done" }, touch("three"), { text: "done" });
    await open();
    const session = host.chats.create();
    const turn = say(session, "/ship");
    const view = await answer({ choice: "once" });
    expect(view).toMatchObject({
      tool: "allowed-tools",
      careful: true,
      rule: null,
      because: [{ code: "allowed_tools", detail: "ship" }],
      facts: [
        { label: "declared", values: ["skill ship"] },
        { label: "path", values: [file] },
        { label: "allows", values: ["read_file", "run_shell:touch", "run_shell:touch *"] },
      ],
    });
    expect(await turn).toMatchObject({ stopReason: "end" });
    expect([exists("one"), exists("two")]).toEqual([true, true]);
    expect(notices(session).join()).toContain(
      "allowed for this turn. Not taken: WebSearch (there is no tool WebSearch here)",
    );
    expect(traceOf(session).filter(({ kind }) => kind === "tool")).toMatchObject([
      { decision: "allow", by: "rule run_shell:touch *" },
      { decision: "allow", by: "rule run_shell:touch *" },
    ]);
    const next = say(session, "once more");
    expect(await answer({ choice: "deny" })).toMatchObject({ tool: "run_shell" });
    await next;
    expect(exists("three")).toBe(false);
  });
  test("a no grants nothing, and the turn goes on", async () => {
    setSettings(always);
    userSkill("ship", uses, "Ship.");
    answers(touch("one"), { text: "done" });
    await open();
    const session = host.chats.create();
    const turn = say(session, "do @ship");
    await answer({ choice: "deny", note: "not today" });
    expect(await answer({ choice: "deny" })).toMatchObject({ tool: "run_shell" });
    expect(await turn).toMatchObject({ stopReason: "end" });
    expect(exists("one")).toBe(false);
    expect(notices(session).join()).toContain("not granted, not today");
  });
  test("nobody is asked for a skill of an untrusted workspace, and the reason is told", async () => {
    setSettings(always);
    workspaceSkill("ship", uses, "Ship.");
    answers(touch("one"), { text: "done" });
    await open();
    const session = host.chats.create();
    const turn = say(session, "/ship");
    expect(await answer({ choice: "deny" })).toMatchObject({ tool: "run_shell" });
    await turn;
    expect(notices(session).join()).toContain("not granted, its folder is not trusted (/plugins trust)");
  });
  test("where nobody can be asked nothing is granted, and the reason is told", async () => {
    userSkill("ship", uses, "Ship.");
    answers({ text: "done" }, { text: "done" });
    await open({ canAsk: false });
    const session = host.chats.create();
    await say(session, "/ship");
    expect(notices(session).join()).toContain("nobody can be asked here (--allow PATTERN allows it)");
    setSettings({ policy: { approval: "never" } });
    await open();
    const never = host.chats.create();
    await say(never, "/ship");
    expect(notices(never).join()).toContain('approval is "never"');
  });
  test("what --allow gives already is not asked for, nor told as refused", async () => {
    setSettings(always);
    userSkill("ship", "allowed-tools: Write, Bash(touch one)", "Ship.");
    answers(touch("one"), { text: "done" });
    await open({ canAsk: false, policy: { allow: ["Write", "run_shell:touch one"] } });
    const session = host.chats.create();
    await say(session, "/ship");
    expect(notices(session)).toEqual([]);
    expect(exists("one")).toBe(true);
  });
  test("trust that is withdrawn while the question is open makes its answer worthless", async () => {
    setSettings(always);
    workspaceSkill("ship", uses, "Ship.");
    answers(touch("one"), { text: "done" });
    await open();
    await host.trustWorkspace(host.declarations());
    const session = host.chats.create();
    const turn = say(session, "/ship");
    await asked();
    await host.trust.untrust();
    await answer({ choice: "once" });
    await expect.poll(async () => (await asked()).tool).toBe("run_shell");
    await answer({ choice: "deny" });
    await turn;
    expect(exists("one")).toBe(false);
    expect(notices(session).join()).toContain("not granted, it is no longer what was shown");
  });
  test("what only reads asks nothing and is granted nothing", async () => {
    userSkill("look", "allowed-tools: Read Grep", "Look.");
    answers({ text: "done" });
    await open();
    const session = host.chats.create();
    expect(await say(session, "/look")).toMatchObject({ text: "done" });
    expect(notices(session)).toEqual([]);
  });
  test("a file that changed while the question was open is granted nothing, and is used as it is now", async () => {
    setSettings(always);
    userSkill("ship", uses, "Ship.");
    answers(touch("one"), { text: "done" });
    await open();
    const session = host.chats.create();
    const turn = say(session, "/ship");
    await answer({ choice: "once" }, () => void userSkill("ship", uses, "Burn."));
    expect(await answer({ choice: "deny" })).toMatchObject({ tool: "run_shell" });
    await turn;
    expect(exists("one")).toBe(false);
    expect(notices(session).join()).toContain("ship has changed since the question");
    expect(userTexts(0)[0]).toContain("Burn.");
  });
});

describe("a yes never goes further than", () => {
  const granted = async (permission: object, call: Step): Promise<ReturnType<typeof say>> => {
    setSettings({ ...always, permission });
    userSkill("ship", "allowed-tools: Bash Write Read", "Ship.");
    answers(call, { text: "done" });
    await open();
    const turn = say(host.chats.create(), "/ship");
    await answer({ choice: "once" });
    return turn;
  };
  test("a rule that denies", async () => {
    const turn = await granted({ run_shell: { "touch *": "deny" } }, touch("one"));
    expect(turn.toolCalls).toMatchObject([{ decision: "deny", by: "rule run_shell:touch *" }]);
    expect(exists("one")).toBe(false);
  });
  test("a rule that asks", async () => {
    const turn = granted({ run_shell: { "touch *": "ask" } }, touch("one"));
    const view = await asked();
    await expect.poll(async () => (await asked()).tool).toBe("run_shell");
    expect(view).toBeDefined();
    await answer({ choice: "deny" });
    expect((await turn).toolCalls).toMatchObject([{ decision: "asked_deny" }]);
  });
  test("the model that the person talks with: a sub-agent's call asks by itself", async () => {
    setSettings(always);
    userSkill("ship", "allowed-tools: Bash", "Ship.");
    answers(
      { when: { lastUser: "sub work" }, ...touch("one") },
      { toolCalls: [{ name: "task", input: { description: "d", prompt: "sub work" } }] },
      { text: "done", repeat: true },
    );
    await open();
    const turn = say(host.chats.create(), "/ship");
    await answer({ choice: "once" });
    await expect.poll(async () => (await asked()).tool).toBe("run_shell");
    await answer({ choice: "deny" });
    await turn;
    expect(exists("one")).toBe(false);
  });
  test("a protected folder", async () => {
    const turn = granted(
      {},
      { toolCalls: [{ name: "write_file", input: { path: ".git/hooks/x", content: "x" } }] },
    );
    await expect.poll(async () => (await asked()).tool).toBe("write_file");
    await answer({ choice: "deny" });
    expect((await turn).toolCalls).toMatchObject([{ decision: "asked_deny" }]);
  });
  test("a file that may hold secrets", async () => {
    setSettings();
    world.write("ws/.env", "KEY=1");
    userSkill("ship", "allowed-tools: Bash Read", "Ship.");
    answers({ toolCalls: [{ name: "read_file", input: { path: ".env" } }] }, { text: "done" });
    await open();
    const turn = say(host.chats.create(), "/ship");
    await answer({ choice: "once" });
    await expect.poll(async () => (await asked()).tool).toBe("read_file");
    await answer({ choice: "deny" });
    expect((await turn).toolCalls).toMatchObject([{ decision: "asked_deny" }]);
  });
});

describe("mentions", () => {
  test("the body comes before the question, which stays as it was typed", async () => {
    userSkill("pdf", "", "Fill {{name}} with $1.");
    userSkill("style", "", "Be brief.");
    answers({ text: "ok", repeat: true });
    await open();
    const session = host.chats.create();
    await say(session, "use @pdf and @style, @pdf again; `@style` @unknown");
    const [pdf = "", style = "", question] = userTexts(0);
    expect(pdf).toContain("Fill {{name}} with .");
    expect(style).toContain("Be brief.");
    expect(question).toBe("use @pdf and @style, @pdf again; `@style` @unknown");
    expect(userTexts(0)).toHaveLength(3);
    expect(notices(session)).toEqual([]);
  });
  test("stand as the name alone would: with defaults, without what nobody gave", async () => {
    const front = "arguments:\n  channel: {default: stable}\n  n: {type: integer}";
    userSkill("ship", front, "To {{channel}}, $n times: $ARGUMENTS.");
    answers({ text: "ok" });
    await open();
    await sayOnce("use @ship");
    expect(userTexts(0)[0]).toContain("To stable,  times: .");
  });
  test("one that needs arguments is left out, and the notice says what to write", async () => {
    userSkill("ship", "arguments:\n  version: {type: string, required: true}", "Ship {{version}}.");
    answers({ text: "ok" });
    await open();
    const session = host.chats.create();
    await say(session, "use @ship");
    expect(userTexts(0)).toEqual(["use @ship"]);
    expect(notices(session)).toEqual([
      "@ship was left out: ship: version is missing. Usage: /ship version=TEXT",
    ]);
  });
  test("what the model has already is named and not said again, until it changes", async () => {
    userSkill("pdf", "", "Fill.");
    answers({ toolCalls: [{ name: "skill", input: { name: "pdf" } }] }, { text: "ok", repeat: true });
    await open();
    const session = host.chats.create();
    await say(session, "load it");
    await say(session, "use @pdf");
    expect(userTexts(2).slice(1)).toEqual([
      "The skill pdf is meant. Its instructions stand above in this conversation, unchanged.",
      "use @pdf",
    ]);
    userSkill("pdf", "", "Fill better.");
    await host.reload("skills");
    await say(session, "use @pdf");
    expect(userTexts(3).at(-2)).toContain("Fill better.");
  });
  test("a rule that asks asks here too, and the answer may hold for the session", async () => {
    setSettings({ permission: { skill: { pdf: "ask" } } });
    userSkill("pdf", "", "Fill.");
    answers({ text: "ok", repeat: true });
    await open();
    const session = host.chats.create();
    const turn = say(session, "use @pdf");
    const view = await answer({ choice: "session" });
    expect(view).toMatchObject({
      tool: "skill",
      title: "skill",
      rule: "skill:pdf",
      facts: [{ label: "input", values: ['{\n  "name": "pdf"\n}'] }],
      because: [{ code: "rule", detail: "skill:pdf" }],
      sessionId: session.id,
    });
    await turn;
    expect(userTexts(0)[0]).toContain("Fill.");
    expect(await say(session, "/pdf x")).toMatchObject({ text: "ok" });
    const other = host.chats.create();
    const second = say(other, "use @pdf");
    await answer({ choice: "deny" });
    await second;
    expect(notices(other).join()).toContain("@pdf was left out: skill was denied: the user said no");
    expect(userTexts(2)).toEqual(["use @pdf"]);
    expect(traceOf(other).filter(({ kind }) => kind === "skill")).toMatchObject([{ status: "denied" }]);
  });
  test("a message whose turn was stopped while it was asked about says so", async () => {
    setSettings({ permission: { skill: { pdf: "ask" } } });
    world.write("config/skills/pdf/SKILL.md", skillText("pdf", "", "Fill."));
    await open();
    const session = host.chats.create();
    const turn = say(session, "use @pdf");
    await asked();
    await session.stop();
    expect(await turn).toMatchObject({ stopReason: "stopped", steps: 0 });
    expect(host.broker.pending()).toEqual([]);
  });
});
test("a skill's own text may mention others, and its line in the record stays what was typed", async () => {
  userSkill("review", "", "Review $ARGUMENTS.");
  userSkill("style", "", "Be brief.");
  answers({ text: "ok", repeat: true });
  await open();
  const session = host.chats.create();
  await say(session, "/review it as @style says");
  const [style = "", review = "", ...rest] = userTexts(0).slice(-2);
  expect(style).toContain("Be brief.");
  expect(review).toContain("Review it as @style says.");
  expect(rest).toEqual([]);
  expect(userTexts(0).filter((text) => text.includes('name="style"'))).toHaveLength(1);
  await say(session, "go on");
  expect(userTexts(1).slice(0, userTexts(0).length)).toEqual(userTexts(0));
});
test("two conversations may each be asked about a skill's tools", async () => {
  setSettings(always);
  userSkill("ship", uses, "Ship.");
  answers({ text: "ok", repeat: true });
  await open();
  const turns = [say(host.chats.create(), "/ship"), say(host.chats.create(), "/ship")];
  await expect.poll(() => host.broker.pending().length).toBe(2);
  for (let index = 0; index < 2; index++) await answer({ choice: "once" });
  for (const turn of turns) expect(await turn).toMatchObject({ text: "ok" });
});
