import type { ToolRun } from "../types.ts";

/** A run as tests hand it to a tool: a model's, allowed everything, unconfined. */
export const testRun = (workspace: string, more: Partial<ToolRun> = {}): ToolRun => ({
  callId: "call-1",
  workspace,
  sessionId: null,
  confinement: null,
  caller: {
    kind: "model",
    sessionId: null,
    role: null,
    policy: {
      approval: "on_request",
      sandbox: "full_access",
      writableRoots: [],
      networkAccess: false,
      rules: [],
      allow: [],
    },
    canAsk: false,
  },
  onOutput: () => undefined,
  signal: new AbortController().signal,
  ...more,
});
