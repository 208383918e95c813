import { NacreError } from "../../../shared/errors.ts";
import { newTurn, type Caller, type Tool, type TurnState } from "../tools/types.ts";
import type { Role } from "./role.ts";

/** One run of a sub-agent, as the host carries it out. */
export interface AgentRun {
  readonly role: Role;
  /** A few words on what it is for, shown to people. */
  readonly description: string;
  readonly prompt: string;
  readonly parentCallId: string;
  readonly caller: Caller;
  /** The caller's: where text from outside reached its model, the prompt may carry it. */
  readonly turn: TurnState;
  /** What it does, one line each, while it runs. */
  onOutput(text: string): void;
}
export interface TaskToolOptions {
  readonly roles: { list(): readonly Role[]; get(name: string): Role };
  /** @throws the signal's reason */
  readonly runAgent: (
    run: AgentRun,
    signal: AbortSignal,
  ) => Promise<{ readonly report: string; readonly isError: boolean; readonly outside?: boolean }>;
}
const usualRole = "general";
/** Characters of one role's description, so that the tool's stays small. */
const longestDescription = 300;

const roleLine = ({ name, description }: Role): string => {
  const text = Array.from(description.replaceAll(/\s+/g, " "));
  const shown = text.length > longestDescription ? [...text.slice(0, longestDescription - 1), "…"] : text;
  return `- ${name}: ${shown.join("")}`;
};

/**
 * `task({description, prompt, agent})`: runs one sub-agent to its report (spec 7). Made anew when the roles change, so
 * that its description lists them. Its own class is `read`: what the sub-agent does passes the gate call by call.
 */
export function createTaskTool({ roles, runAgent }: TaskToolOptions): Tool {
  const roleOf = (input: Readonly<Record<string, unknown>>): Role => {
    const name = input["agent"];
    return roles.get(typeof name === "string" && name !== "" ? name : usualRole);
  };
  return {
    name: "task",
    title: "task",
    description: `Hands a task to a sub-agent, which works on its own and answers with a report. It sees nothing of this conversation: the prompt holds all it needs. Several tasks of read-only roles run beside each other when they are called in one step.\n\nRoles:\n${roles.list().map(roleLine).join("\n")}`,
    perm: "read",
    origin: { kind: "builtin", owner: "nacre" },
    inputSchema: {
      type: "object",
      properties: {
        description: { type: "string", description: "what it is for, in three to six words" },
        prompt: { type: "string", description: "the whole task, with everything the sub-agent must know" },
        agent: { type: "string", description: `the role; ${usualRole} where absent` },
      },
      required: ["description", "prompt"],
      additionalProperties: false,
    },
    parallel(input) {
      return roleOf(input).readonly;
    },
    touches(input) {
      return { names: [typeof input["agent"] === "string" ? input["agent"] : usualRole] };
    },
    async run(input, run) {
      const { callId, caller, signal } = run;
      if (caller.kind === "agent")
        throw new NacreError("denied", "a sub-agent starts no other one; do the work yourself");
      const { report, isError, outside } = await runAgent(
        {
          role: roleOf(input),
          description: String(input["description"]),
          prompt: String(input["prompt"]),
          parentCallId: callId,
          caller,
          turn: run.turn ?? newTurn(),
          onOutput: (text) => run.onOutput(text),
        },
        signal,
      );
      return { output: report, isError, sandboxed: null, ...(outside === true ? { outside } : {}) };
    },
  };
}
