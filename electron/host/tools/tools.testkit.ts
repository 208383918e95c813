import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { ApprovalAnswer, ApprovalView } from "../../../shared/approval.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { TraceRow } from "../../../shared/trace.ts";
import type { AppPaths } from "../config/types.ts";
import { childEnvironment } from "../kit/environment.ts";
import { ApprovalBroker } from "../policy/approvals.ts";
import { parsePermission } from "../config/permission.ts";
import type { Sandbox } from "../policy/sandbox.ts";
import { BackgroundCommands } from "./background.ts";
import { builtinTools } from "./builtin/index.ts";
import { createExecutor } from "./execute.ts";
import type { ExecuteOptions, Executor } from "./executor.ts";
import type { Interceptor } from "./interceptors.ts";
import { ToolRegistry } from "./registry.ts";
import type { Caller, CallPolicy, Tool, ToolCallResult } from "./types.ts";

export const noSandbox: Sandbox = {
  kind: null,
  wrap: () => Promise.reject(new Error("there is no sandbox")),
  verify: () => Promise.resolve({ kind: null, ok: false, reason: "none" }),
  state: () => ({ kind: null, ok: false, reason: "none" }),
};

/** A workspace on disk with an executor over the built-in tools; `stop` removes it all. */
export interface Bench {
  readonly root: string;
  readonly workspace: string;
  readonly paths: AppPaths;
  readonly registry: ToolRegistry;
  readonly broker: ApprovalBroker;
  readonly executor: Executor;
  readonly background: BackgroundCommands;
  readonly trace: TraceRow[];
  readonly stored: string[];
  readonly diagnostics: Diagnostic[];
  call(name: string, input: unknown, more?: CallMore): Promise<ToolCallResult>;
  /** Answers the next question and gives what it showed. */
  answer(answer: ApprovalAnswer, before?: (view: ApprovalView) => void): Promise<ApprovalView>;
  stop(): Promise<void>;
}
export interface CallMore extends ExecuteOptions {
  readonly caller?: Partial<Caller>;
  readonly policy?: Partial<CallPolicy>;
  readonly signal?: AbortSignal;
}

export const policyOf = (more: Partial<CallPolicy> = {}): CallPolicy => ({
  approval: "on_request",
  sandbox: "workspace_write",
  writableRoots: [],
  networkAccess: false,
  rules: [],
  allow: [],
  ...more,
});
/** The model of no conversation. */
export const modelCaller = (more: Partial<CallPolicy> = {}): Caller => ({
  kind: "model",
  sessionId: null,
  role: null,
  canAsk: false,
  policy: policyOf(more),
});
export const rulesOf = (permission: unknown): CallPolicy["rules"] =>
  parsePermission(permission, "settings", true).rules;

export function createBench(
  more: {
    sandbox?: Sandbox | ((paths: AppPaths) => Sandbox);
    interceptors?: Interceptor[];
    storeRule?: (rule: string) => Promise<void>;
    /** Where everything is made; the system's temporary folder where absent. */
    parent?: string;
    /** The home folder as workspace, with the app's folders where they lie in one by default. */
    inHome?: boolean;
  } = {},
): Bench {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(more.parent ?? os.tmpdir(), "nacre-execute-")));
  const folder = (name: string): string => {
    fs.mkdirSync(path.join(root, name), { recursive: true });
    return path.join(root, name);
  };
  const home = folder("home");
  const workspace = more.inHome === true ? home : folder("work");
  const paths = {
    home,
    config: folder(more.inHome === true ? "home/.config/nacre" : "config"),
    data: folder(more.inHome === true ? "home/.local/share/nacre" : "data"),
    cache: folder(more.inHome === true ? "home/.cache/nacre" : "cache"),
    cst: path.join(root, more.inHome === true ? "home/.config/cst-agent" : "cst"),
  };
  const sandbox = (typeof more.sandbox === "function" ? more.sandbox(paths) : more.sandbox) ?? noSandbox;
  const registry = new ToolRegistry();
  const environment = (): NodeJS.ProcessEnv => childEnvironment(process.env);
  const background = new BackgroundCommands({ now: () => Date.now() });
  for (const tool of builtinTools({
    environment,
    sandbox,
    background,
    fetch: () => fetch,
    paths,
  }))
    registry.add(tool);
  const broker = new ApprovalBroker();
  const trace: TraceRow[] = [];
  const stored: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const executor = createExecutor({
    registry,
    broker,
    sandbox,
    workspace,
    background,
    paths,
    clock: { now: () => Date.now() },
    interceptors: more.interceptors ?? [],
    readableFolders: () => [],
    storeRule: more.storeRule ?? ((rule) => Promise.resolve(void stored.push(rule))),
    onTrace: (row) => trace.push(row),
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  let calls = 0;
  return {
    root,
    workspace,
    paths,
    registry,
    broker,
    executor,
    background,
    trace,
    stored,
    diagnostics,
    call(name, input, { caller, policy, signal, ...hooks } = {}) {
      calls += 1;
      const whole: Caller = {
        kind: "model",
        sessionId: "session",
        role: null,
        canAsk: false,
        policy: policyOf(policy),
        ...caller,
      };
      return executor.execute(
        { id: `call-${calls}`, name, input },
        whole,
        hooks,
        signal ?? new AbortController().signal,
      );
    },
    async answer(answer, before) {
      const view = await nextQuestion(broker);
      before?.(view);
      broker.answer(view.id, view.digest, answer);
      return view;
    },
    async stop() {
      await executor.stop();
      fs.rmSync(root, { recursive: true });
    },
  };
}
function nextQuestion(broker: ApprovalBroker): Promise<ApprovalView> {
  const open = broker.pending()[0];
  if (open) return Promise.resolve(open);
  return new Promise((resolve) => {
    const stop = broker.onChange.on((views) => {
      const view = views[0];
      if (!view) return;
      void stop();
      resolve(view);
    });
  });
}

/** A tool that keeps what it was run with. */
export function spyTool(more: Partial<Tool> = {}): { tool: Tool; runs: Readonly<Record<string, unknown>>[] } {
  const runs: Readonly<Record<string, unknown>>[] = [];
  const tool: Tool = {
    name: "spy",
    title: "spy",
    description: "",
    perm: "read",
    origin: { kind: "plugin", owner: "spies" },
    inputSchema: {
      type: "object",
      properties: { count: { type: "integer" }, tags: { type: "array", items: { type: "string" } } },
    },
    run(input) {
      runs.push(input);
      return Promise.resolve({ output: "ran", isError: false, sandboxed: null });
    },
    ...more,
  };
  return { tool, runs };
}
