import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "@playwright/test";
import { WebSocket } from "ws";
import type { ApprovalView } from "../shared/approval.ts";
import type { Input, MethodName } from "../shared/contract/index.ts";
import type { Result } from "../shared/errors.ts";
import { leftovers } from "./support/leftovers.ts";
import { canaryOf, createWorld, root, type World } from "./support/world.ts";

/** A page's socket, as any script in the page could use it. */
async function connect(world: World) {
  const cli = path.join(root, "bin/nacre.cjs");
  const child = spawn(process.execPath, [cli, "serve", "--no-open", "--workspace", world.workspace], {
    env: world.env,
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  const { origin, host, hash } = new URL(url);
  const socket = new WebSocket(`ws://${host}`, { headers: { origin } });
  await once(socket, "open");
  socket.send(JSON.stringify({ token: new URLSearchParams(hash.slice(1)).get("token") }));
  const answers = new Map<number, Result<unknown>>();
  let approvals: readonly ApprovalView[] = [];
  socket.on("message", (data: Buffer) => {
    const message = JSON.parse(data.toString()) as {
      id?: number;
      result?: Result<unknown>;
      event?: { type: string; slice?: { approvals?: readonly ApprovalView[] } };
    };
    if (message.id !== undefined && message.result) answers.set(message.id, message.result);
    approvals = message.event?.slice?.approvals ?? approvals;
  });
  let last = 0;
  return {
    send<M extends MethodName>(method: M, input: Input<M>): number {
      last += 1;
      socket.send(JSON.stringify({ id: last, method, input }));
      return last;
    },
    answers,
    approvals: () => approvals,
    async call<M extends MethodName>(method: M, input: Input<M>): Promise<unknown> {
      const id = this.send(method, input);
      await expect.poll(() => answers.has(id), { timeout: 20_000 }).toBe(true);
      const result = answers.get(id);
      return result?.ok ? result.value : undefined;
    },
    async close() {
      socket.terminate();
      child.kill();
      await once(child, "exit");
    },
  };
}

/** Declarations of every kind, each of which leaves a canary when it runs. */
function declareCanaries(world: World): void {
  const code = (name: string): string =>
    `require("fs").appendFileSync(${JSON.stringify(world.canary)}, "${name}\\n"); setTimeout(() => {}, 5000)`;
  const server = (name: string) => ({ command: process.execPath, args: ["-e", code(name)] });
  writeFileSync(
    path.join(world.workspace, ".mcp.json"),
    JSON.stringify({ mcpServers: { project: server("mcp") } }),
  );
  mkdirSync(path.join(world.workspace, ".kairox"), { recursive: true });
  writeFileSync(
    path.join(world.workspace, ".kairox/config.toml"),
    `[mcp_servers.kairox]\ntype = "stdio"\ncommand = ${JSON.stringify(process.execPath)}\nargs = ["-e", ${JSON.stringify(code("kairox"))}]\n[hooks.SessionStart.a]\ncommand = ${JSON.stringify(`touch ${world.canary}`)}\n[lsp_servers.x]\ncommand = "touch"\nargs = [${JSON.stringify(world.canary)}]\n`,
  );
}

let world: World;
let page: Awaited<ReturnType<typeof connect>>;
test.beforeEach(async () => {
  world = await createWorld({ steps: [{ text: "hello", repeat: true }] });
  declareCanaries(world);
  page = await connect(world);
});
test.afterEach(async () => {
  await page.close();
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});
const settings = (): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(world.config, "settings.json"), "utf8")) as Record<string, unknown>;

test("a payload that calls every method of the contract starts nothing and widens nothing without a question of the host", async () => {
  const { id: sessionId } = (await page.call("chat.create", {})) as { id: string };
  const draft = JSON.stringify({ command: "touch", args: [world.canary] });
  const words = [
    "/plugins trust",
    "/sandbox full_access",
    "/mcp restart project",
    "/mcp restart everything",
    "/plugins enable word-count",
    '/call count_words {"text": "a"}',
    `/call run_shell {"command": "touch ${world.canary}"}`,
    "hello",
  ];
  /** One row a method, so that a new method needs one. */
  const inputs: { readonly [M in MethodName]: readonly Input<M>[] } = {
    "topic.subscribe": ["workspace", "app", "market", `session:${sessionId}`, `trace:${sessionId}`].map(
      (topic) => ({ topic }),
    ),
    "topic.unsubscribe": [{ topic: "market" }],
    "app.doctor": [{}],
    "app.pickFolder": [{}],
    // Another folder would be another host: the calls behind it would be about that one.
    "app.openFolder": [{ path: world.workspace }],
    "app.openLink": [{ url: `file://${world.canary}` }, { url: "calculator://" }],
    "chat.create": [{}],
    "chat.send": [{ sessionId, text: "hello" }],
    "chat.unqueue": [{ sessionId, index: 9 }],
    "chat.stop": [{ sessionId }],
    "chat.page": [{ sessionId, before: "0" }],
    "chat.rename": [{ sessionId, title: "x" }],
    "chat.output": [{ sessionId, callId: "x" }],
    "approvals.answer": [{ id: "guess", digest: "guess", choice: "always" }],
    "questions.answer": [{ id: "guess", text: "yes" }],
    "trust.review": [{}],
    "trust.grant": [{ grant: "guess" }],
    "trust.revoke": [{}],
    "settings.set": [
      { sandbox: "full_access" },
      { networkAccess: true, addRoot: "/" },
      { carefulAfterOutsideText: false },
    ],
    "policy.explain": [{ tool: "run_shell", input: { command: `touch ${world.canary}` } }],
    "background.output": [{ id: "x", lines: 9 }],
    "background.stop": [{ id: "x" }],
    "rules.remove": [{ tool: "run_shell", pattern: "*" }],
    "switch.set": [
      { id: "mcp:workspace/project", enabled: true },
      { id: "plugin:workspace/word-count", enabled: true },
    ],
    "extensions.reload": [{ what: "skills" }, { what: "plugins" }, { what: "mcp" }, { what: "agents" }],
    "skills.show": [{ id: "skill:project-agents/release-notes" }],
    "skills.explain": [{ name: "release-notes" }],
    "skills.roots": [{}],
    "skills.create": [{ name: "made", scope: "workspace" }],
    "skills.write": [{ id: "skill:project-agents/release-notes", text: "x", digest: "guess" }],
    "skills.repair": [{ id: "skill:project-agents/release-notes" }],
    "skills.applyRepair": [{ id: "skill:project-agents/release-notes", digest: "guess" }],
    "skills.save": [{ id: "skill:session/made", scope: "workspace" }],
    "skills.remove": [{ id: "skill:project-nacre/made" }],
    "skills.restore": [{ undo: "guess" }],
    "skills.reveal": [{ id: "skill:project-agents/release-notes", what: "file" }],
    "skills.pin": [{ id: "skill:project-agents/release-notes", pinned: true }],
    "skills.rule": [{ name: "release-notes", answer: "deny" }],
    "skills.suggest": [{ text: "write the release notes", sessionId: null }],
    "skills.invocation": [{ name: "release-notes", sessionId: null }],
    "tools.list": [{}],
    "mcp.start": [{ name: "project" }, { name: "everything" }, { name: "kairox" }],
    "mcp.stop": [{ name: "project" }],
    "mcp.restart": [{ name: "project" }, { name: "everything" }],
    "mcp.logs": [{ name: "project" }],
    "mcp.draft": [{ name: "drafted", json: draft }],
    "mcp.review": [{ name: "project" }],
    "mcp.approve": [{ grant: "guess" }],
    "market.search": [{ query: "changelog" }],
    "market.detail": [{ id: "changelog" }],
    "market.plan": [{ id: "changelog", scope: "workspace" }],
    "market.install": [{ grant: "guess", variables: {} }],
    "market.cancel": [{ id: "changelog" }],
    "market.uninstall": [{ id: "changelog" }],
  };
  await page.call("topic.subscribe", { topic: "workspace" });
  const sent = Object.entries(inputs).flatMap(([method, list]) =>
    list.map((input: unknown) => page.send(method as MethodName, input as Input<MethodName>)),
  );
  for (const text of words) {
    const chat = (await page.call("chat.create", {})) as { id: string };
    await page.call("chat.send", { sessionId: chat.id, text });
  }
  const asked = (): readonly string[] =>
    page.approvals().flatMap(({ because }) => because.map(({ code, detail }) => `${code} ${detail ?? ""}`));
  // One question about the policy and one about trust: a page cannot fill the list with more of them.
  await expect
    .poll(asked, { timeout: 20_000 })
    .toEqual(expect.arrayContaining([`trust ${world.workspace}`, "widen_policy full_access"]));
  // All but what waits for a person has been answered.
  await expect.poll(() => sent.filter((id) => !page.answers.has(id)).length, { timeout: 20_000 }).toBe(1);
  expect(asked().filter((text) => text.startsWith("widen_policy"))).toEqual(["widen_policy full_access"]);
  expect(canaryOf(world)).toBeUndefined();
  expect(settings()).not.toHaveProperty("policy");
  expect(settings()).not.toHaveProperty("trusted_workspaces");
});
test("what the host asked is what an answer allows: the question of another is of no use", async () => {
  await page.call("topic.subscribe", { topic: "workspace" });
  page.send("settings.set", { sandbox: "full_access" });
  await expect.poll(() => page.approvals().length).toBe(1);
  const [view] = page.approvals();
  expect(view).toMatchObject({ rule: null, facts: [{ label: "change" }] });
  for (const [choice, digest] of [
    ["once", "another"],
    ["session", view?.digest ?? ""],
    ["always", view?.digest ?? ""],
  ] as const)
    expect(await page.call("approvals.answer", { id: view?.id ?? "", digest, choice })).toBeUndefined();
  expect(settings()).not.toHaveProperty("policy");
  await page.call("approvals.answer", { id: view?.id ?? "", digest: view?.digest ?? "", choice: "once" });
  await expect.poll(() => settings()["policy"]).toEqual({ sandbox: "full_access" });
});
