import { afterEach, beforeEach, expect, test } from "vitest";
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
      { text: "done", repeat: true },
    ],
  });
  world.write("ws/.agent/skills/tidy/SKILL.md", "---\nname: tidy\ndescription: Tidies.\n---\nTidy.\n");
});
afterEach(async () => {
  await host.stop();
  await server.stop();
  world.remove();
});
async function run(prompt: string, agent: unknown, role?: string): Promise<readonly RequestBody[]> {
  world.write(
    "config/settings.json",
    JSON.stringify({ model: "test/any", models: { providers: { test: { baseUrl: server.url } } }, agent }),
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
  const { turn } = await host.chats.create().send(prompt);
  expect(await turn).toMatchObject({ stopReason: "end" });
  return server.requests;
}
const toolsOf = (body: RequestBody | undefined): string[] =>
  (body?.tools ?? []).map((tool) => tool.function.name);

test("a conversation that runs as a role has neither the tools that settings take from it nor the catalog of skills", async () => {
  const tools = { skill: false, Grep: false, write_file: true };
  const [request] = await run("hello", { plan: { tools } }, "plan");
  expect(toolsOf(request)).toContain("read_file");
  for (const gone of ["skill", "grep", "write_file", "run_shell"])
    expect(toolsOf(request)).not.toContain(gone);
  expect(JSON.stringify(request)).not.toContain("tidy");
});
test("a sub-agent has not the tools that a dropstone.json takes from its role; its caller keeps them", async () => {
  world.write("ws/dropstone.json", '{"agent": {"explore": {"tools": {"grep": false, "skill": "off"}}}}');
  const [caller, agent] = await run("delegate", { explore: { tools: { glob: false } } });
  for (const name of ["grep", "skill", "glob"]) expect(toolsOf(caller)).toContain(name);
  expect(toolsOf(agent)).toContain("read_file");
  for (const gone of ["grep", "skill", "glob"]) expect(toolsOf(agent)).not.toContain(gone);
});
