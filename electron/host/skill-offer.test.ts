import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startModelServer, type ModelServer, type RequestBody } from "../../e2e/fixtures/model-server.mjs";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";

let world: World;
let host: Host;
let server: ModelServer;
beforeEach(async () => {
  world = createWorld();
  server = await startModelServer({
    steps: [
      {
        when: { lastUser: "delegate", lastRole: "user" },
        toolCalls: [
          { id: "t", name: "task", input: { description: "look", prompt: "look", agent: "explore" } },
        ],
      },
      {
        when: { lastUser: "load", lastRole: "user" },
        toolCalls: [{ id: "s", name: "skill", input: { name: "tidy" } }],
        repeat: true,
      },
      { text: "done", repeat: true },
    ],
  });
  skill("tidy", "Tidies up.");
});
afterEach(async () => {
  await host.stop();
  await server.stop();
  world.remove();
});
const skill = (name: string, description: string): string =>
  world.write(
    `ws/.agent/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${description}\n---\nBody.\n`,
  );
async function open(settings: object = {}, role?: string): Promise<void> {
  world.write(
    "config/settings.json",
    JSON.stringify({
      model: "test/any",
      models: { providers: { test: { baseUrl: server.url } } },
      ...settings,
    }),
  );
  host = await createHost({
    workspace: world.workspace,
    env: {},
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
    ...(role === undefined ? {} : { role }),
  });
}
/** Sends one message and gives the requests that it led to. */
async function say(text: string, id?: string): Promise<{ id: string; requests: readonly RequestBody[] }> {
  const before = server.requests.length;
  const session = id === undefined ? host.chats.create() : host.chats.open(id);
  const { turn } = await session.send(text);
  expect(await turn).toMatchObject({ stopReason: "end" });
  return { id: session.id, requests: server.requests.slice(before) };
}
const textOf = (content: unknown): string =>
  typeof content === "string" ? content : JSON.stringify(content);
const messages = (body: RequestBody | undefined): string[] =>
  (body?.messages ?? []).map(({ role, content }) => `${role}: ${textOf(content)}`);
const reminders = (body: RequestBody | undefined): string[] =>
  messages(body).filter((message) => message.startsWith("user: <system-reminder>"));
const toolOf = (body: RequestBody | undefined): string | undefined =>
  body?.tools?.find((tool) => tool.function.name === "skill")?.function.description;
const line = "- tidy: Tidies up.";

describe("the catalog's place, by the request that arrived", () => {
  test("a lasting reminder before the first question; a later turn and a resumed session do not repeat it", async () => {
    await open();
    const { id, requests } = await say("hello");
    const [system = "", reminder = "", question] = messages(requests[0]);
    expect(system).not.toContain("tidy");
    expect(reminder).toMatch(/^user: <system-reminder>\n[\s\S]*\n- tidy: Tidies up\.\n<\/system-reminder>$/);
    expect(question).toBe("user: hello");
    expect(toolOf(requests[0])).not.toContain("tidy");
    const second = await say("again", id);
    expect(reminders(second.requests[0])).toHaveLength(1);
    await host.stop();
    await open();
    const resumed = await say("later", id);
    expect(reminders(resumed.requests[0])).toEqual([reminder]);
    expect(messages(resumed.requests[0])[1]).toBe(reminder);
  });
  test("again in full where it changed, and taken back where it became empty", async () => {
    await open();
    const { id } = await say("hello");
    skill("sweep", "Sweeps.");
    await host.reload("skills");
    const changed = (await say("again", id)).requests[0];
    expect(reminders(changed)).toHaveLength(2);
    expect(reminders(changed)[1]).toContain("- sweep: Sweeps.\n- tidy: Tidies up.");
    expect(messages(changed).slice(-2)).toEqual([reminders(changed)[1], "user: again"]);
    for (const name of ["sweep", "tidy"]) await host.skills.setEnabled(name, false);
    const gone = (await say("and now", id)).requests[0];
    expect(reminders(gone)).toHaveLength(3);
    expect(reminders(gone)[2]).toContain("no longer holds");
    expect(toolOf(gone)).toBeUndefined();
    expect(reminders((await say("still", id)).requests[0])).toHaveLength(3);
  });
  test("the system prompt", async () => {
    await open({ skills: { placement: "system" } });
    const { requests } = await say("hello");
    expect(messages(requests[0])[0]).toContain(`# Skills\n\n`);
    expect(messages(requests[0])[0]).toContain(`\n${line}`);
    expect(reminders(requests[0])).toEqual([]);
    expect(toolOf(requests[0])).not.toContain("tidy");
  });
  test("the tool's description", async () => {
    await open({ skills: { placement: "tool" } });
    const { requests } = await say("hello");
    expect(toolOf(requests[0])).toContain(
      "<available_skills>\n<skill><name>tidy</name><description>Tidies up.</description></skill>\n</available_skills>",
    );
    expect(JSON.stringify(requests[0]?.messages)).not.toContain("tidy");
  });
});

describe("neither section nor tool", () => {
  test.each(["reminder", "system", "tool"])("where every skill is denied (%s)", async (placement) => {
    await open({ skills: { placement }, permission: { skill: { "*": "deny" } } });
    const { requests } = await say("hello");
    expect(toolOf(requests[0])).toBeUndefined();
    expect(JSON.stringify(requests[0])).not.toContain("tidy");
    expect(reminders(requests[0])).toEqual([]);
  });
  test("where there is none", async () => {
    world.remove();
    world = createWorld();
    await open();
    const { requests } = await say("hello");
    expect(toolOf(requests[0])).toBeUndefined();
    expect(JSON.stringify(requests[0])).not.toContain("Skills hold instructions");
  });
  test.each(["reminder", "system", "tool"])(
    "where the role's own file takes the tool from it (%s)",
    async (placement) => {
      world.write(
        "ws/.agent/agents/bare.md",
        "---\nname: bare\ndescription: D.\ntools: { skill: false }\n---\nPrompt.\n",
      );
      await open({ skills: { placement } }, "bare");
      const { requests } = await say("hello");
      expect(requests[0]?.tools?.length).toBeGreaterThan(0);
      expect(toolOf(requests[0])).toBeUndefined();
      expect(JSON.stringify(requests[0])).not.toContain("tidy");
    },
  );
});

describe("sub-agents", () => {
  test.each([
    ["reminder", (body: RequestBody | undefined) => reminders(body)[0] ?? ""],
    ["system", (body: RequestBody | undefined) => messages(body)[0] ?? ""],
    ["tool", (body: RequestBody | undefined) => toolOf(body) ?? ""],
  ])("have the catalog by their own rules (%s)", async (placement, part) => {
    skill("secret", "Of the caller alone.");
    skill("shared", "Of both.");
    await open({
      skills: { placement },
      agent: { explore: { permission: { skill: { secret: "deny" } } } },
    });
    const { requests } = await say("delegate");
    const [caller, agent] = requests;
    expect(part(caller)).toContain("secret");
    expect(part(agent)).toContain("shared");
    expect(JSON.stringify(agent)).not.toContain("secret");
    expect(messages(agent).at(-1)).toBe("user: look");
  });
  test("have none where every skill is denied to them", async () => {
    await open({ agent: { explore: { permission: { skill: "deny" } } } });
    const [caller, agent] = (await say("delegate")).requests;
    expect(toolOf(caller)).toBeDefined();
    expect(toolOf(agent)).toBeUndefined();
    expect(reminders(agent)).toEqual([]);
  });
});

describe("a call of the model", () => {
  test("a denied skill answers word for word as an unknown one, and the trace has the rule", async () => {
    skill("other", "Offered.");
    await open({ permission: { skill: { tidy: "deny" } } });
    const { id, requests } = await say("load");
    expect(messages(requests[1]).at(-1)).toBe("tool: unknown skill: tidy");
    const trace = world.read(`ws/.agent/sessions/${id}/trace.jsonl`).trim().split("\n");
    expect(trace.map((row): unknown => JSON.parse(row))).toContainEqual(
      expect.objectContaining({ kind: "skill", title: "skill", status: "denied", by: "rule skill:tidy" }),
    );
  });
  test("a rule that asks is asked for by the one gate, and nobody here answers", async () => {
    await open({ permission: { skill: { tidy: "ask" } } });
    const { requests } = await say("load");
    expect(reminders(requests[0])[0]).toContain(line);
    expect(messages(requests[1]).at(-1)).toContain("nobody can be asked here");
  });
  test("an allowed load is a row of the trace", async () => {
    await open();
    const { id, requests } = await say("load");
    expect(messages(requests[1]).at(-1)).toContain('<skill_content name="tidy">');
    const trace = world.read(`ws/.agent/sessions/${id}/trace.jsonl`).trim().split("\n");
    expect(trace.map((row): unknown => JSON.parse(row))).toContainEqual(
      expect.objectContaining({ kind: "skill", title: "skill", status: "completed", decision: "allow" }),
    );
  });
  test("a conversation's own skill is loaded before the file of its name", async () => {
    await open();
    const session = host.chats.create();
    const made = await host.skills.sessions.create(session.id, "tidy");
    await host.skills.sessions.write(made, "---\nname: tidy\ndescription: Mine.\n---\nMy way.\n");
    const { turn } = await session.send("load");
    await turn;
    const [first, second] = server.requests;
    expect(reminders(first)[0]).toContain("- tidy: Mine.");
    expect(messages(second).at(-1)).toContain("My way.");
    const other = await say("load");
    expect(messages(other.requests[1]).at(-1)).toContain("Body.");
  });
});

test("a conversation's own skill is switched in memory and gone when the conversation closes", async () => {
  await open();
  const { id } = await say("hello");
  const made = await host.skills.sessions.create(id, "note");
  await host.setSwitch(made, false);
  expect(host.skills.rows().find((row) => row.id === made)?.state).toBe("off");
  expect(world.read("config/settings.json")).not.toContain("note");
  await host.chats.close();
  expect(host.skills.sessions.all()).toEqual([]);
});
