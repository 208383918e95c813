/** One row of the trace (spec 8). `t` is ms since the epoch. */
export interface TraceRow {
  readonly id: string;
  readonly t: number;
  readonly kind: "tool" | "approval" | "hook" | "server" | "skill" | "model";
  readonly title: string;
  readonly status: "running" | "completed" | "failed" | "denied";
  readonly origin: string;
  readonly decision?: string;
  readonly by?: string;
  readonly sandboxed?: boolean | null;
  readonly durationMs?: number;
  readonly exitCode?: number;
  readonly input?: string;
  readonly output?: string;
}
