import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
  // Of more than 8 MB the door closes the channel.
  const huge = "x".repeat(7 * 1024 * 1024);
  const hostile = [
    "..",
    "skill:project-nacre/../../x",
    world.canary,
    "__proto__",
    "constructor",
    "",
    "x".repeat(5_000),
  ];
  const ids = [...hostile, "skill:session/mine", "mcp:workspace/project"].map((id) => ({ id }));
  const names = hostile.map((name) => ({ name }));
  const known = { id: "skill:project-nacre/release-notes" };
  const skill = path.join(world.workspace, ".agent/skills/release-notes/SKILL.md");
  const before = readFileSync(skill, "utf8");
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
    "skills.show": [...ids, known, { id: huge }],
    "skills.explain": [...names, { name: "release-notes" }],
    "skills.roots": [{}],
    "skills.create": [
      { name: "made", scope: "workspace" },
      { name: "../../made", scope: "user" },
      { name: "__proto__", scope: "workspace" },
      { name: "mine", scope: "session", sessionId: "../../x" },
    ],
    "skills.write": [
      ...ids.map((one) => ({ ...one, text: "x", digest: "guess" })),
      { ...known, text: "x", digest: "guess" },
      { ...known, text: huge, digest: "guess" },
    ],
    "skills.repair": [...ids, known],
    "skills.applyRepair": [...ids, known].map((one) => ({ ...one, digest: "guess" })),
    "skills.save": [...ids, known].map((one) => ({ ...one, scope: "user" as const })),
    "skills.remove": [...ids, { id: "skill:project-nacre/made" }],
    "skills.restore": ["guess", "..", "../../config", "__proto__", huge].map((undo) => ({ undo })),
    "skills.reveal": [...ids, known].map((one) => ({ ...one, what: "file" as const })),
    "skills.pin": [...ids.map((one) => ({ ...one, pinned: true })), { ...known, pinned: true }],
    "skills.rule": [
      { name: "release-notes", answer: "deny" },
      { name: "*", answer: "allow" },
      { name: "../x", answer: "deny" },
      { name: "__proto__", answer: "deny" },
      { name: huge, answer: "allow" },
    ],
    "skills.suggest": [
      { text: "write the release notes", sessionId: null },
      { text: huge, sessionId: "../../x" },
    ],
    "skills.invocation": names.map((one) => ({ ...one, sessionId: null })),
    "tools.list": [{}],
    "mcp.start": [{ name: "project" }, { name: "everything" }, { name: "kairox" }],
    "mcp.stop": [{ name: "project" }],
    "mcp.restart": [{ name: "project" }, { name: "everything" }],
    "mcp.signOut": [{ name: "project" }, { name: huge }],
    "mcp.logs": [{ name: "project" }],
    "mcp.details": [{ name: "project" }, { name: "everything" }, { name: huge }],
    "mcp.approveTools": [{ name: "everything", tools: [{ name: "echo", digest: "guess" }] }],
    "mcp.answer": [
      { id: "guess", action: "accept", content: { a: 1 } },
      { id: huge, action: "cancel" },
    ],
    "mcp.app": [{ sessionId, callId: huge }, ...hostile.map((callId) => ({ sessionId: callId, callId }))],
    "mcp.appResult": hostile.map((callId) => ({ sessionId, callId })),
    "mcp.appCall": [{ sessionId, callId: "none", tool: "echo", input: { message: huge } }],
    "mcp.appRead": [{ sessionId, callId: "none", uri: `file://${world.canary}` }],
    "mcp.resources": [{}],
    "mcp.complete": [
      { name: "everything", ref: { prompt: huge }, argument: { name: "a", value: "" } },
      { name: "project", ref: { template: "x://{a}" }, argument: { name: "a", value: huge } },
    ],
    "mcp.draft": [
      { name: "drafted", json: draft },
      { name: "nobody", json: draft, replace: true },
    ],
    "mcp.source": [{ name: "project" }, { name: huge }],
    "mcp.duplicate": [{ name: "project", as: "copied" }],
    "mcp.remove": [{ name: "copied" }, { name: "project" }, { name: huge }],
    "mcp.test": [{ grant: "guess" }],
    "mcp.importable": [{}],
    "mcp.import": [{ ids: ["guess"] }],
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
  // Of skills what was said by a name or an id of the list was done, and nothing else.
  expect(readFileSync(skill, "utf8")).toBe(before);
  expect(settings()["permission"]).toEqual({ skill: { "release-notes": "deny" } });
  expect(
    Object.keys((settings()["workspace_switches"] as Record<string, object>)[world.workspace] ?? {}),
  ).toContain("pin:skill:project-nacre/release-notes");
  expect(existsSync(path.join(world.config, "skills"))).toBe(false);
  expect(readdirSync(world.folder).sort()).toEqual(["cache", "config", "data", "harbor", "home"]);
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
