import { describe, expect, test } from "vitest";
import {
  answers,
  host,
  notices,
  open,
  say,
  sayOnce,
  server,
  setSettings,
  skillText,
  traceOf,
  userSkill,
  userTexts,
  workspaceSkill,
  world,
} from "./skill-use.testkit.ts";

const release = `arguments:
  version: {type: string, required: true}
  draft: {type: boolean, default: false}`;

describe("a skill as a slash command", () => {
  test("puts its body with the arguments into the message, the text behind it, whatever answers", async () => {
    userSkill("release", release, "Release {{version}}, draft: $draft. Never touch $HOME or $2.50.");
    answers({ text: "ok" }, { text: "more" });
    await open();
    const session = host.chats.create();
    expect(await say(session, "/release version=1.2 write it")).toMatchObject({
      text: "ok",
      stopReason: "end",
    });
    const [prompt = ""] = userTexts(0);
    expect(prompt).toMatch(/^<skill_content name="release">/);
    expect(prompt).toContain("Release 1.2, draft: false. Never touch $HOME or $2.50.");
    expect(prompt.endsWith("</skill_content>\n\nwrite it")).toBe(true);
    expect(session.view().entries.flatMap((entry) => (entry.type === "user" ? [entry.text] : []))).toEqual([
      "/release version=1.2 write it",
    ]);
  });
  test("after a restart the model is told the very same", async () => {
    userSkill("release", release, "Release {{version}}.");
    answers({ text: "ok" }, { text: "more" });
    const first = await open();
    const session = host.chats.create();
    await say(session, "/release version=1.2 write it");
    const told = userTexts(0);
    await first.stop();
    // What it says now is nothing that was said.
    userSkill("release", release, "Something else.");
    await open();
    await say(host.chats.open(session.id), "and now?");
    expect(userTexts(1)).toEqual([...told, "and now?"]);
  });
  test("a missing or wrong argument ends with what can be written, before any model is asked", async () => {
    userSkill("release", release, "Release {{version}}.");
    await open();
    for (const typed of ["/release write it", "/skill release draft=no"])
      expect(await sayOnce(typed)).toMatchObject({
        steps: 0,
        error: {
          code: "invalid_input",
          message: "release: version is missing. Usage: /release version=TEXT [draft=true|false]",
        },
      });
    const wrong = await sayOnce("/release version=1 draft=maybe");
    expect(wrong.error?.message).toContain('draft must be true or false, not "maybe"');
    expect(server.requests).toEqual([]);
  });
  test("a built-in command wins a name; the skill is reached by /skill", async () => {
    userSkill("help", "", "Help body.");
    answers({ text: "ok" });
    await open();
    expect((await sayOnce("/help")).text).toContain("`/skill ");
    await sayOnce("/skill help $x");
    expect(userTexts(0)[0]).toContain("Help body.");
  });
  test("a plugin's skill is reached by both of its names", async () => {
    world.write("config/plugins/docs/plugin.json", JSON.stringify({ name: "docs", version: "1.0.0" }));
    world.write("config/plugins/docs/skills/pdf/SKILL.md", skillText("pdf", "", "Fill $1."));
    answers({ text: "a" }, { text: "b" });
    await open();
    for (const name of ["docs:pdf", "pdf"]) await sayOnce(`/${name} a.pdf please`);
    expect(userTexts(0)[0]).toContain("Fill a.pdf.");
    expect(userTexts(0)[0]).toMatch(/please$/);
    expect(userTexts(1)).toEqual(userTexts(0));
  });
  test("an unknown name is answered with the nearest one", async () => {
    userSkill("release-notes", "", "Body.");
    await open();
    expect((await sayOnce("/relase-notes")).error?.message).toBe(
      "there is no command /relase-notes; did you mean /release-notes? /help lists the commands",
    );
    expect((await sayOnce("/skill releasenote")).error?.message).toContain("did you mean release-notes?");
  });
  test("skills do not make the list of commands longer", async () => {
    await open();
    const commands = async () => {
      const { answer } = await host.topics.subscribe("workspace", undefined, () => undefined);
      return JSON.stringify((answer as { snapshot?: { commands: unknown } }).snapshot?.commands);
    };
    const before = await commands();
    expect(before).toContain('"name":"skills"');
    for (let index = 0; index < 50; index++) userSkill(`skill-${index}`, "", "Body.");
    await host.reload("skills");
    expect(host.skills.rows().filter(({ name }) => name.startsWith("skill-"))).toHaveLength(50);
    expect(await commands()).toBe(before);
  });
  test("with no model the guide says what the skill would send", async () => {
    world.write("config/settings.json", "{}");
    userSkill("greet", "", "Greet $ARGUMENTS.");
    await open();
    expect((await sayOnce("/greet Ada")).text).toContain("Greet Ada.");
    expect((await sayOnce("hello @greet")).text).toContain('<skill_content name="greet">');
  });
  test("is in the trace with what decided", async () => {
    userSkill("greet", "", "Greet.");
    answers({ text: "ok" });
    await open();
    const session = host.chats.create();
    await say(session, "/greet Ada");
    expect(traceOf(session)[0]).toMatchObject({
      kind: "skill",
      title: "greet",
      status: "completed",
      origin: "user-nacre",
      by: "policy",
      input: "Ada",
    });
  });
});

describe("a message tells with which of the skills that it names it was not sent", () => {
  const unused = async (text: string): Promise<readonly string[] | undefined> => {
    const session = host.chats.create();
    await say(session, text);
    const [message] = session.view().entries;
    return message?.type === "user" ? message.unusedSkills : expect.unreachable("no message");
  };
  test("one that is refused, lacks an argument or belongs to a command, also after a restart", async () => {
    setSettings({ permission: { skill: { "lark-*": "deny" } } });
    userSkill("lark-doc", "", "Lark body.");
    userSkill("release", release, "Release {{version}}.");
    userSkill("greet", "", "Greet.");
    answers({ text: "ok", repeat: true });
    const first = await open();
    expect(await unused("/lark-doc with @greet")).toEqual(["lark-doc", "greet"]);
    expect(await unused("/skill release")).toEqual(["release"]);
    expect(await unused("/skills list @greet")).toEqual(["greet"]);
    expect(await unused("/greet with @lark-doc")).toEqual(["lark-doc"]);
    expect(await unused("do @greet and @release")).toEqual(["release"]);
    expect(await unused("/greet")).toBeUndefined();
    // Names that mean no skill are none that were left out.
    expect(await unused("/nosuch hello @todo")).toBeUndefined();
    expect(await unused("/skill nosuch with @greet @todo")).toEqual(["greet"]);
    expect(await unused("/skills list @todo")).toBeUndefined();
    const session = host.chats.create();
    await say(session, "do @lark-doc");
    await first.stop();
    await open();
    const again = host.chats.open(session.id);
    expect(again.view().entries[0]).toMatchObject({ text: "do @lark-doc", unusedSkills: ["lark-doc"] });
    const before = server.requests.length;
    await say(again, "and now?");
    expect(userTexts(before)).toEqual(["do @lark-doc", "and now?"]);
  });
});

describe("who may", () => {
  test("hidden from the model is not hidden from the person, and what is for the model alone says so", async () => {
    userSkill("wrap", "disable-model-invocation: true", "Wrap body.");
    userSkill("inner", "user-invocable: false", "Inner body.");
    answers({ text: "ok", repeat: true });
    await open();
    await sayOnce("/wrap");
    await sayOnce("do @wrap");
    for (const index of [0, 1]) expect(userTexts(index).join()).toContain("Wrap body.");
    const refused = await sayOnce("/inner");
    expect(refused.error).toMatchObject({ code: "denied" });
    expect(refused.error?.message).toContain("is for the model alone");
    const session = host.chats.create();
    await say(session, "do @inner");
    expect(notices(session).join()).toMatch(
      /@inner was left out: the skill inner \(.*SKILL\.md\) is for the model alone/,
    );
    expect(userTexts(2)).toEqual(["do @inner"]);
  });
  test("a denied skill is refused in every way, and the person is told by which rule", async () => {
    setSettings({ permission: { skill: { "*": "allow", "lark-*": "deny" } } });
    userSkill("lark-doc", "keywords: [lark]", "Lark body.");
    answers({ text: "ok", repeat: true });
    await open();
    for (const typed of ["/lark-doc", "/skill lark-doc"]) {
      const { error } = await sayOnce(typed);
      expect(error).toMatchObject({ code: "denied" });
      expect(error?.message).toContain("lark-*");
    }
    const session = host.chats.create();
    await say(session, "do @lark-doc");
    expect(notices(session).join()).toContain("lark-*");
    expect(JSON.stringify(server.requests)).not.toContain("Lark body.");
    expect(await host.skills.use.suggest("lark", null)).toEqual([]);
    expect((await sayOnce("/lark-dok")).error?.message).not.toContain("lark-doc");
  });
  test("a role's own rules hold for what the person loads in its conversation", async () => {
    setSettings({ agent: { plan: { permission: { skill: { greet: "deny" } } } } });
    userSkill("greet", "", "Greet.");
    await open({ role: "plan" });
    expect((await sayOnce("/greet")).error).toMatchObject({ code: "denied" });
  });
  test("where a rule asks, the person is asked once for each use, with no hand behind it", async () => {
    setSettings({ permission: { skill: { greet: "ask" } } });
    userSkill("greet", "", "Greet body.");
    answers({ text: "ok", repeat: true });
    await open({ canAsk: false });
    const headless = await sayOnce("/greet");
    expect(headless.error).toMatchObject({ code: "denied" });
    expect(headless.error?.message).toContain("--allow 'skill:greet'");
    await host.stop();
    await open({ canAsk: false, policy: { allow: ["skill:greet"] } });
    expect(await sayOnce("/greet")).toMatchObject({ text: "ok" });
  });
});

describe("what a skill needs", () => {
  test("a missing tool is named to the person and to the model before it runs", async () => {
    userSkill("ship", "tools: [Bash, fs.read, jira_issue, mcp__git__*]", "Ship.");
    answers({ text: "ok" });
    await open();
    const session = host.chats.create();
    await say(session, "/ship now");
    expect(notices(session)).toEqual([
      "ship needs tools that are not here: jira_issue, mcp__git__*. Switch on what brings them, or go on without",
    ]);
    expect(userTexts(0)[0]).toContain("counts on tools that you do not have: jira_issue, mcp__git__*.");
    expect(userTexts(0)[0]).toMatch(/\n\nnow$/);
  });
  test("its model answers that turn and no other, and the trace says so", async () => {
    userSkill("think", "model: test/large", "Think.");
    answers({ text: "deep" }, { text: "plain" });
    await open();
    const session = host.chats.create();
    await say(session, "/think now");
    await say(session, "and now?");
    expect(server.requests.map(({ model }) => model)).toEqual(["large", "any"]);
    expect(traceOf(session)).toMatchObject([
      { kind: "skill", title: "think", output: "model test/large" },
      { kind: "model", title: "test/large" },
      { kind: "model", title: "test/any" },
    ]);
  });
  test("a bare name stays with the conversation's provider; inherit is what answers anyway", async () => {
    userSkill("think", "model: large", "Think.");
    userSkill("same", "model: inherit", "Think.");
    answers({ text: "ok", repeat: true });
    await open();
    await sayOnce("/think");
    await sayOnce("/same");
    expect(server.requests.map(({ model }) => model)).toEqual(["large", "any"]);
  });
  test("a model that cannot be had is a warning, and the conversation's own answers", async () => {
    userSkill("think", "model: nowhere/large", "Think.");
    answers({ text: "ok" });
    await open();
    const session = host.chats.create();
    expect(await say(session, "/think")).toMatchObject({ text: "ok" });
    expect(notices(session).join()).toContain("think wants the model nowhere/large, which cannot be used");
    expect(server.requests.map(({ model }) => model)).toEqual(["any"]);
  });
  test("a model that its server does not know is a warning, and the conversation's own answers", async () => {
    userSkill("think", "model: sonnet", "Think.");
    answers({ error: { status: 404, message: "no such model" } }, { text: "ok" });
    await open();
    const session = host.chats.create();
    expect(await say(session, "/think")).toMatchObject({ text: "ok", stopReason: "end" });
    expect(notices(session).join()).toContain("test/any answers instead");
    expect(server.requests.map(({ model }) => model)).toEqual(["sonnet", "any"]);
    expect(traceOf(session).at(-1)).toMatchObject({ kind: "model", title: "test/any" });
  });
});

test("what makes no sense in the arguments is told with its line, and the skill works all the same", async () => {
  const file = userSkill("odd", "arguments:\n  hue: {type: colour}", "Paint it $hue.");
  answers({ text: "ok" });
  await open();
  const row = host.skills.rows().find(({ name }) => name === "odd");
  expect(row?.diagnostics).toEqual([
    {
      code: "skill-arguments",
      severity: "warning",
      message: 'the argument hue: the type "colour" is not known; it counts as text',
      line: 4,
      fix: "use string, number, integer, boolean or array",
      path: file,
    },
  ]);
  await sayOnce("/odd hue=red");
  expect(userTexts(0)[0]).toContain("Paint it red.");
});

describe("what the composer asks", () => {
  test("the form of a skill's arguments, its tools and its model", async () => {
    userSkill(
      "ship",
      `${release}\ntools: [Bash, jira]\nallowed-tools: Bash(git status:*)\nmodel: nowhere/x`,
      "Ship.",
    );
    await open();
    expect(
      await host.handlers["skills.invocation"](
        { name: "ship", sessionId: null },
        new AbortController().signal,
      ),
    ).toEqual({
      id: "skill:user-nacre/ship",
      name: "ship",
      description: "Does ship.",
      schema: {
        type: "object",
        properties: { version: { type: "string" }, draft: { type: "boolean", default: false } },
        required: ["version"],
      },
      tools: [
        { name: "run_shell", found: true },
        { name: "jira", found: false },
      ],
      allowedTools: ["Bash(git status:*)"],
      model: { name: "nowhere/x", found: false },
    });
    await expect(host.skills.use.invocation("shop", null)).rejects.toMatchObject({ code: "not_found" });
  });
  test("skills of an untrusted workspace are not suggested, those of the user are", async () => {
    userSkill("pull", "keywords: [pull request]", "Body.");
    workspaceSkill("other", "keywords: [pull request]", "Body.");
    await open();
    const suggest = () =>
      host.handlers["skills.suggest"](
        { text: "review this Pull  Request!", sessionId: null },
        new AbortController().signal,
      );
    expect(await suggest()).toEqual([
      { id: "skill:user-nacre/pull", name: "pull", description: "Does pull.", keyword: "pull request" },
    ]);
    await host.trustWorkspace(host.declarations());
    expect(await suggest()).toMatchObject([{ name: "other" }, { name: "pull" }]);
  });
});

describe("/skills", () => {
  test("new makes a skill of this conversation alone", async () => {
    answers({ text: "ok", repeat: true });
    await open();
    const session = host.chats.create();
    expect(await say(session, "/skills new draft")).toMatchObject({ stopReason: "end" });
    expect(await say(session, "/draft it")).toMatchObject({ text: "ok" });
    expect(userTexts(0)[0]).toContain('<skill_content name="draft">');
    expect((await sayOnce("/draft it")).error).toMatchObject({ code: "not_found" });
    expect((await sayOnce("/skills new Not_A_Name")).error).toBeDefined();
  });
  test("list finds by a word, enable and disable switch", async () => {
    userSkill("alpha", "", "A.");
    userSkill("beta", "", "B.");
    await open();
    expect((await sayOnce("/skills list alph")).text).toMatch(/^- alpha/);
    await sayOnce("/skills disable alpha");
    expect((await sayOnce("/alpha")).error?.message).toContain("switched off");
    expect((await sayOnce("/skills frob")).error?.message).toContain("new NAME");
  });
});
