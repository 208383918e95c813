import {
  approvalPolicies,
  parseApprovalPolicy,
  parseSandboxPolicy,
  sandboxPolicies,
  type ApprovalPolicy,
  type SandboxPolicy,
} from "../../../shared/policy.ts";
import type { SessionRow } from "../../../shared/session.ts";
import type { CommandRow, ModelRow } from "../../../shared/workspace.ts";
import type { CommandContext, CommandResult, SlashCommand } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";

/** The settings that a composer shows, and how they change. */
export interface TurnSettings {
  readonly model: string | null;
  readonly approval: ApprovalPolicy;
  readonly sandbox: SandboxPolicy;
}
export interface ChatCommandPorts {
  readonly rows: () => readonly CommandRow[];
  /** Also one that stands in no list: a skill by its name. */
  readonly row: (name: string) => Pick<SlashCommand, keyof CommandRow | "usage"> | undefined;
  readonly tools: () => readonly Tool[];
  readonly sessions: () => readonly SessionRow[];
  readonly models: () => Promise<readonly ModelRow[]>;
  readonly settings: () => TurnSettings;
  readonly changeSettings: (
    change: Partial<TurnSettings>,
    asking: Pick<CommandContext, "sessionId" | "signal">,
  ) => Promise<void>;
}

const text = (words: string): CommandResult => ({ kind: "text", text: words });
const wrong = (words: string): CommandResult => ({ kind: "text", text: words, isError: true });
const list = (rows: readonly string[], none: string): string => (rows.length === 0 ? none : rows.join("\n"));

async function help({ rows, row }: ChatCommandPorts, args: string): Promise<CommandResult> {
  const wanted = args.replace(/^\//, "");
  const one = wanted === "" ? undefined : row(wanted);
  const usage = await one?.usage?.();
  const shown: readonly CommandRow[] =
    wanted === "" ? rows() : one ? [{ ...one, ...(usage === undefined ? {} : { hint: usage }) }] : [];
  if (shown.length === 0) return wrong(`there is no command /${wanted}; /help lists the commands`);
  return text(
    shown
      .map(
        ({ name, hint, description }) =>
          `- \`/${name}${hint === undefined ? "" : ` ${hint}`}\`: ${description}`,
      )
      .join("\n"),
  );
}

/** `/call NAME {json}`: any tool, without a model. */
const call = ({ tools }: ChatCommandPorts): SlashCommand => ({
  name: "call",
  description: "call a tool with its arguments as JSON; without a name, list the tools",
  hint: "NAME {json}",
  async run(args, { callTool }) {
    const match = /^(\S+)\s*([\s\S]*)$/.exec(args);
    if (match === null)
      return text(
        list(
          tools().map(({ title, description }) => `- \`${title}\`: ${description.split("\n")[0]}`),
          "no tools",
        ),
      );
    const [, name = "", json = ""] = match;
    if (callTool === undefined) return wrong("/call works in a conversation only");
    let input: unknown = {};
    try {
      if (json.trim() !== "") input = JSON.parse(json);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return wrong(
        `the arguments of ${name} are not valid JSON (${reason}); write /call ${name} {"key": "value"}`,
      );
    }
    const result = await callTool(name, input);
    return { kind: "text", text: result.output, isError: result.isError };
  },
});

const model = ({ models, settings, changeSettings }: ChatCommandPorts): SlashCommand => ({
  name: "model",
  description: "show the models, or choose the one that answers from the next turn on",
  hint: "[PROVIDER/MODEL | none]",
  async run(args, asking) {
    const rows = await models();
    if (args === "") {
      const lines = rows.map(({ id, ok, error }) => `- \`${id}\`${ok ? "" : `: ${error ?? "not set up"}`}`);
      return text(
        `Model: ${settings().model ?? "none, the guide answers"}\n\n${list(lines, "No model is set up.")}`,
      );
    }
    const chosen = args === "none" ? null : args;
    const row = rows.find(({ id }) => id === chosen);
    if (chosen !== null && row === undefined && !chosen.includes("/"))
      return wrong(
        `there is no model "${chosen}"; write it as PROVIDER/MODEL, or /model to see what is set up`,
      );
    await changeSettings({ model: chosen }, asking);
    if (chosen === null) return text("No model any more: the guide answers.");
    return text(`Model: ${chosen}${row?.error === undefined ? "" : `. It cannot be used yet: ${row.error}`}`);
  },
});

const approval = ({ settings, changeSettings }: ChatCommandPorts): SlashCommand => ({
  name: "approval",
  description: "show or set when actions are asked about",
  hint: `[${approvalPolicies.join(" | ")}]`,
  async run(args, asking) {
    if (args === "") return text(`Approval: ${settings().approval} (of ${approvalPolicies.join(", ")})`);
    const policy = parseApprovalPolicy(args);
    if (policy === undefined) return wrong(`"${args}" is none of ${approvalPolicies.join(", ")}`);
    await changeSettings({ approval: policy }, asking);
    return text(`Approval: ${policy}${policy === "never" ? " – what would ask is denied" : ""}`);
  },
});

const sandbox = ({ settings, changeSettings }: ChatCommandPorts): SlashCommand => ({
  name: "sandbox",
  description: "show or set what actions may reach",
  hint: `[${sandboxPolicies.join(" | ")}]`,
  async run(args, asking) {
    if (args === "") return text(`Sandbox: ${settings().sandbox} (of ${sandboxPolicies.join(", ")})`);
    const policy = parseSandboxPolicy(args);
    if (policy === undefined) return wrong(`"${args}" is none of ${sandboxPolicies.join(", ")}`);
    await changeSettings({ sandbox: policy }, asking);
    return text(`Sandbox: ${policy}${policy === "full_access" ? " – nothing is confined any more" : ""}`);
  },
});

/** The slash commands of the chat room itself (spec 8). */
export function chatCommands(ports: ChatCommandPorts): SlashCommand[] {
  return [
    {
      name: "help",
      description: "list the slash commands",
      hint: "[NAME]",
      run: (args) => help(ports, args),
    },
    call(ports),
    model(ports),
    approval(ports),
    sandbox(ports),
    {
      name: "sessions",
      description: "list the sessions of this workspace",
      run: async () =>
        text(
          list(
            ports
              .sessions()
              .map(({ id, title, state, turns }) => `- \`${id}\` ${title} (${turns} turns, ${state})`),
            "No sessions yet.",
          ),
        ),
    },
  ];
}
