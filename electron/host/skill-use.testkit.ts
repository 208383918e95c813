import { afterEach, beforeEach, vi } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../e2e/fixtures/model-server.mjs";
import type { ApprovalAnswer, ApprovalView } from "../../shared/approval.ts";
import type { TraceRow } from "../../shared/trace.ts";
import type { ChatSession } from "./chat/session.ts";
import type { TurnReport } from "./chat/turn-report.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";

/** Tests alone use this file: a real host with skills on a disk and a model server behind it. */

export let world: World;
export let host: Host;
export let server: ModelServer;
let opened: Host[];
beforeEach(async () => {
  world = createWorld();
  opened = [];
  server = await startModelServer({ steps: [] });
  setSettings();
});
afterEach(async () => {
  for (const one of opened) await one.stop();
  await server.stop();
  world.remove();
});

/** Settings with the model server as the only provider. */
export function setSettings(more: object = {}): void {
  const providers = { test: { baseUrl: server.url } };
  world.write("config/settings.json", JSON.stringify({ model: "test/any", models: { providers }, ...more }));
}
/** Of the user, who is trusted. */
export const userSkill = (name: string, front: string, body: string): string =>
  world.write(`config/skills/${name}/SKILL.md`, skillText(name, front, body));
/** Of a workspace that nobody trusts. */
export const workspaceSkill = (name: string, front: string, body: string): string =>
  world.write(`ws/.agent/skills/${name}/SKILL.md`, skillText(name, front, body));
export const skillText = (name: string, front: string, body: string): string =>
  `---\nname: ${name}\ndescription: Does ${name}.\n${front === "" ? "" : `${front}\n`}---\n${body}\n`;

export async function open(more: Partial<HostOptions> = {}): Promise<Host> {
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
  opened.push(host);
  return host;
}
export const answers = (...steps: ScriptStep[]): void => server.push(...steps);
export const say = async (session: ChatSession, text: string): Promise<TurnReport> =>
  (await session.send(text)).turn;
/** In a conversation of its own. */
export const sayOnce = (text: string): Promise<TurnReport> => say(host.chats.create(), text);
/** What the people's part of a request says, reminders left out. */
export const userTexts = (index: number): string[] =>
  (server.requests[index]?.messages ?? []).flatMap(({ role, content }) =>
    role === "user" && typeof content === "string" && !content.startsWith("<system-reminder>")
      ? [content]
      : [],
  );
export const notices = (session: ChatSession): string[] =>
  session.view().entries.flatMap((entry) => (entry.type === "notice" ? [entry.text] : []));
/** As it stands on the disk. */
export const traceOf = (session: ChatSession): readonly Partial<TraceRow>[] =>
  world
    .read(`ws/.agent/sessions/${session.id}/trace.jsonl`)
    .trimEnd()
    .split("\n")
    .map((line): Partial<TraceRow> => JSON.parse(line));
export const asked = (): Promise<ApprovalView> =>
  vi.waitFor(() => {
    const view = host.broker.pending()[0];
    if (!view) throw new Error("nothing is asked");
    return view;
  });
export async function answer(given: ApprovalAnswer, before: () => void = () => {}): Promise<ApprovalView> {
  const view = await asked();
  before();
  host.broker.answer(view.id, view.digest, given);
  return view;
}
