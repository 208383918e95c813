import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { startModelServer, type ModelServer, type ScriptStep } from "../../../e2e/fixtures/model-server.mjs";
import type { TraceRow } from "../../../shared/trace.ts";
import { createIds, systemClock } from "../kit/clock.ts";
import { openAICompatibleModel } from "../models/openai-compatible.ts";
import { SessionStore } from "../record/session-store.ts";
import { CommandRegistry } from "../tools/commands.ts";
import type { SessionHost, TurnSetup } from "./session-host.ts";
import { ChatSession } from "./session.ts";
import { testResult, testTool } from "./turn.testkit.ts";
import type { TurnReport } from "./turn-report.ts";

/** Tests alone use this file: a workspace in a temporary folder, a model server and sessions with real records. */

export const clock = systemClock;
export const ids = createIds(clock);
export let folder: string;
export let server: ModelServer;
let sessions: ChatSession[];
export let traced: TraceRow[];
export let reported: unknown[];
beforeEach(() => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-session-")));
  sessions = [];
  traced = [];
  reported = [];
});
afterEach(async () => {
  await Promise.all(sessions.map((session) => session.close()));
  await server?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
  expect(reported).toEqual([]);
});

export const store = () =>
  new SessionStore({ workspace: folder, dataDir: path.join(folder, "data"), ids, clock });
export async function serve(steps: ScriptStep[]): Promise<void> {
  server = await startModelServer({ steps });
}
export const setup = (rest: Partial<TurnSetup> = {}): TurnSetup => ({
  model: openAICompatibleModel({
    provider: "test",
    model: "any",
    baseUrl: server.url,
    keySource: null,
    fetch: globalThis.fetch,
  }),
  system: "Help.",
  reminder: null,
  tools: () => [testTool("read_file"), testTool("write_file", "write")],
  maxSteps: 20,
  execute: async (call) => testResult(call),
  ...rest,
});
export const host = (rest: Partial<TurnSetup> = {}, more: Partial<SessionHost> = {}): SessionHost => ({
  setup: async () => setup(rest),
  personCalls: () => setup(rest),
  commands: new CommandRegistry(),
  guide: async (text) => `guide: ${text}`,
  settled: async () => undefined,
  goesOn: () => false,
  mask: (text) => text,
  trace: (_session, row) => void traced.push(row),
  report: (error) => void reported.push(error),
  ...more,
});
export function open(sessionHost: SessionHost, id?: string): ChatSession {
  const record = id === undefined ? store().create() : store().open(id);
  const session = new ChatSession({
    record,
    host: sessionHost,
    workspace: folder,
    version: "test",
    clock,
    ids,
  });
  sessions.push(session);
  return session;
}
export const say = async (session: ChatSession, text: string): Promise<TurnReport> =>
  (await session.send(text)).turn;
export const mainFile = (session: ChatSession) =>
  path.join(folder, ".agent", "sessions", session.id, "main.jsonl");
export const lineTypesOf = (file: string): string[] =>
  fs
    .readFileSync(file, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
export const lineTypes = (session: ChatSession): string[] => lineTypesOf(mainFile(session));
