import type { PluginState, RoleRow, SkillState } from "../../shared/extension-rows.ts";
import type { McpStateName } from "../../shared/mcp.ts";
import type { SessionRow, ToolCallView } from "../../shared/session.ts";

/**
 * How a state looks: its own silhouette first, then a colour (look: disc ready or unread, ring running, diamond
 * failed, triangle needs setup, bars waits for you, hollow off, half shadowed, shield untrusted, barred denied, tick done, bead step).
 */
export interface StateMark {
  readonly shape:
    | "disc"
    | "ring"
    | "diamond"
    | "triangle"
    | "bars"
    | "hollow"
    | "half"
    | "shield"
    | "barred"
    | "tick"
    | "bead";
  readonly tone: "ok" | "warn" | "bad" | "run" | "off";
  readonly spin?: boolean;
}

const ready: StateMark = { shape: "disc", tone: "ok" };
const running: StateMark = { shape: "ring", tone: "run", spin: true };
const failed: StateMark = { shape: "diamond", tone: "bad" };
const setup: StateMark = { shape: "triangle", tone: "warn" };
const waits: StateMark = { shape: "bars", tone: "warn" };
const off: StateMark = { shape: "hollow", tone: "off" };
const shadowed: StateMark = { shape: "half", tone: "off" };
const denied: StateMark = { shape: "barred", tone: "off" };
const untrusted: StateMark = { shape: "shield", tone: "warn" };
const done: StateMark = { shape: "tick", tone: "ok" };
const unread: StateMark = { shape: "disc", tone: "run" };

export const marks = {
  ready,
  running,
  failed,
  setup,
  waits,
  off,
  shadowed,
  denied,
  untrusted,
  done,
  unread,
} as const;

export const mcpMarks: Readonly<Record<McpStateName, StateMark>> = {
  disabled: off,
  untrusted,
  needs_approval: waits,
  needs_setup: setup,
  starting: running,
  ready,
  failed,
  exited: off,
  stopped: off,
};
/** `asks`: on, and a rule asks first. */
export const skillMarks: Readonly<Record<SkillState | "asks", StateMark>> = {
  on: ready,
  asks: waits,
  off,
  shadowed,
  invalid: failed,
  denied,
  untrusted,
};
export const pluginMarks: Readonly<Record<PluginState, StateMark>> = {
  on: ready,
  off,
  untrusted,
  needs_approval: waits,
  invalid: failed,
  incompatible: setup,
  shadowed,
};
export const roleMarks: Readonly<Record<RoleRow["state"], StateMark>> = {
  on: ready,
  off,
  shadowed,
  invalid: failed,
};
/** Null where there is nothing to say. */
export const sessionMarks: Readonly<Record<SessionRow["state"], StateMark | null>> = {
  idle: null,
  running,
  waiting: waits,
  failed,
};
export const callMarks: Readonly<Record<ToolCallView["state"], StateMark>> = {
  running,
  waiting: waits,
  done,
  failed,
  denied: off,
};
