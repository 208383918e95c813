import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { startModelServer } from "../../e2e/fixtures/model-server.mjs";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost } from "./host.ts";
import { secretsOfEnvironment } from "./known-secrets.ts";

let world: World | undefined;
afterEach(() => world?.remove());

test.each([
  ["MY_API_KEY", "q1w2e3r4t5"],
  ["MYAPIKEY", "q1w2e3r4t5"],
  ["GITHUB_TOKEN", "q1w2e3r4t5"],
  ["PGPASSWORD", "two words"],
  ["db_passwd", "q1w2e3r4"],
  ["CLIENT_SECRET", "/q1w2e3+r4t5/y6"],
  ["AWS_SECRET_ACCESS_KEY", "q1w2e3r4t5"],
  ["DEPLOY_PRIVATE_KEY", "-----BEGIN\nq1w2e3r4"],
  ["GOOGLE_CREDENTIALS", '{"private": "q1w2e3r4"}'],
])("%s says that it is a secret", (name, value) => {
  expect(secretsOfEnvironment({ [name]: value })).toEqual([value]);
});
test("of an address the password is one", () => {
  expect(secretsOfEnvironment({ DATABASE_URL: "postgres://user:q1w2e3r4@db.test/x" })).toEqual(["q1w2e3r4"]);
  expect(
    secretsOfEnvironment({ DATABASE_URL: "postgres://db.test/x", HOME_URL: "http://u:short@x" }),
  ).toEqual([]);
});
test.each([
  ["MY_TOKEN", "short12"],
  ["MY_TOKEN", "disabled"],
  ["MY_TOKEN", "PLACEHOLDER"],
  ["MY_TOKEN", "1234567890"],
  ["GOOGLE_CREDENTIALS", import.meta.filename],
  ["TOKEN_PATH", "q1w2e3r4t5"],
  ["MY_SECRET_FILE", "q1w2e3r4t5"],
  ["TOKEN_URL", "https://x.test/q1w2e3r4t5"],
  ["TOKENIZER", "q1w2e3r4t5"],
  ["EDITOR", "q1w2e3r4t5"],
])("%s=%s is none", (name, value) => {
  expect(secretsOfEnvironment({ [name]: value })).toEqual([]);
});

test("what a command prints of them stands in no trace, no log and no export; the conversation goes on with it", async () => {
  world = createWorld();
  const secret = "q1w2e3r4t5-plain";
  const command = `${JSON.stringify(process.execPath)} -p process.env.GITHUB_TOKEN`;
  const server = await startModelServer({
    steps: [
      {
        toolCalls: [
          { name: "run_shell", input: { command } },
          { name: "read_file", input: { path: secret } },
        ],
      },
      { text: "done", repeat: true },
    ],
  });
  world.write(
    "config/settings.json",
    JSON.stringify({ model: "test/any", models: { providers: { test: { baseUrl: server.url } } } }),
  );
  const host = await createHost({
    workspace: world.workspace,
    env: { ...process.env, GITHUB_TOKEN: secret },
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
    policy: { sandbox: "full_access", allow: [] },
  });
  const session = host.chats.create();
  const { turn } = await session.send("go");
  expect(await turn).toMatchObject({ stopReason: "end" });
  const exported = JSON.stringify(await host.exportSession(session.id));
  await host.stop();
  await server.stop();
  const folder = path.join(world.workspace, ".agent/sessions", session.id);
  expect(fs.readFileSync(path.join(folder, "main.jsonl"), "utf8")).toContain(secret);
  const trace = fs.readFileSync(path.join(folder, "trace.jsonl"), "utf8");
  expect(trace).toContain("run_shell");
  const logs = path.join(world.paths.data, "logs");
  const logged = fs.existsSync(logs)
    ? fs.readdirSync(logs).map((name) => fs.readFileSync(path.join(logs, name), "utf8"))
    : [];
  for (const text of [trace, exported, ...logged]) expect(text).not.toContain(secret);
  expect(exported).toContain("***");
});
