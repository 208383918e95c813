import { parseCommand } from "../../../shared/command-line.ts";
import type { StopReason } from "../../../shared/session.ts";
import type { TurnReport } from "../../host/chat/turn-report.ts";
import type { TurnEvent } from "../../host/chat/turn.ts";
import type { Host } from "../../host/host.ts";
import type { Command } from "../main.ts";
import { atMost, oneOf, UsageError, wholeNumber, type Arguments } from "../arguments.ts";
import { warnOfAllow } from "../allow-warning.ts";
import { askOnTerminal, canAskHere } from "../ask.ts";
import { maskedEvents } from "../masked-run.ts";
import { printSummary, startServers, withHost } from "../open-host.ts";
import { exitCodes, printError, printJson } from "../output.ts";
import { policyFlags, policyOverrides } from "../policy-flags.ts";
import { createRunPrinter, resultDocument } from "../run-printer.ts";

const usage =
  "nacre run [PROMPT | -] [--model PROVIDER/MODEL] [--agent ROLE] [--session ID] [--approval P] [--sandbox P] [--allow PATTERN]… [--tools default|minimal] [--max-steps N] [--wait SECONDS] [--output text|json|stream-json]";

async function standardInput(): Promise<string> {
  let text = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) text += chunk;
  return text;
}
/** The words of the prompt, or standard input for `-` and where no prompt stands. @throws UsageError for none */
async function promptOf(args: Arguments): Promise<string> {
  atMost(args, 1, usage);
  const given = args.positionals[0];
  if (given !== undefined && given !== "-") return given;
  if (given === undefined && process.stdin.isTTY) throw new UsageError(`PROMPT is missing. Usage: ${usage}`);
  const text = (await standardInput()).trim();
  if (text === "") throw new UsageError("there is no prompt: standard input was empty");
  return text;
}
/** Slash commands of the list that are about servers, call their tools or ask the model, which may. */
const withServers = new Set(["call", "mcp", "skill"]);
/** A skill's name is a command too, and what it says goes to the model. */
function needsServers(prompt: string, { commands }: Pick<Host, "commands">): boolean {
  const command = parseCommand(prompt);
  return command === undefined || withServers.has(command.name) || !commands.isListed(command.name);
}
/** 0 when the turn ended, also when single calls were refused; a slash command that failed ends with its error (cli.md). */
function exitCode({ stopReason, error }: TurnReport): number {
  const failed =
    error?.code === "denied" || error?.code === "not_trusted" ? exitCodes.denied : exitCodes.failed;
  const codes: Readonly<Record<StopReason, number>> = {
    end: error === undefined ? exitCodes.done : failed,
    max_steps: exitCodes.done,
    stopped: exitCodes.interrupted,
    timeout: exitCodes.timeout,
    error: failed,
    hook: exitCodes.denied,
  };
  return codes[stopReason];
}

export const run: Command = {
  usage,
  flags: ["model", "agent", "session", "tools", "max-steps", "wait", "output", ...policyFlags],
  async run(args) {
    const output =
      oneOf(args, "output", ["text", "json", "stream-json"]) ?? (args.has("json") ? "json" : "text");
    const minimal = oneOf(args, "tools", ["default", "minimal"]) === "minimal";
    const maxSteps = wholeNumber(args, "max-steps", 1);
    const [model, role, sessionId] = [args.text("model"), args.text("agent"), args.text("session")];
    const policy = policyOverrides(args);
    const canAsk = canAskHere(policy);
    const overrides = {
      ...policy,
      canAsk,
      minimal,
      ...(model === undefined ? {} : { model }),
      ...(role === undefined ? {} : { role }),
      ...(maxSteps === undefined ? {} : { maxSteps }),
    };
    const prompt = await promptOf(args);
    return withHost(
      args,
      async (host, signal) => {
        printSummary(host);
        warnOfAllow(host, args.list("allow"));
        if (role !== undefined) host.roles.get(role);
        const session = sessionId === undefined ? host.chats.create() : host.chats.open(sessionId);
        const printer = createRunPrinter(output, session.id);
        const show = (event: TurnEvent): void => printer.event(event);
        const masked = maskedEvents(host.masker, show);
        // One document tells of notices alone while it goes on: nothing else is masked in vain.
        const notices = (event: TurnEvent): void => void (event.type === "notice" && masked(event));
        session.turnEvents.on(output === "text" ? show : output === "json" ? notices : masked);
        host.broker.onChange.on((pending) => printer.approvals(pending));
        // A server that starts may want its user signed in.
        const stopAsking = canAsk ? askOnTerminal(host, printer) : () => undefined;
        const answer = async (): Promise<TurnReport> => {
          if (needsServers(prompt, host)) await startServers(host, args, signal).catch(ignoreStop(signal));
          const { turn } = await session.send(prompt);
          const onStop = (): void => void session.stop().catch((error: unknown) => printError(String(error)));
          if (signal.aborted) onStop();
          else signal.addEventListener("abort", onStop, { once: true });
          return turn;
        };
        const whole = await answer().finally(stopAsking);
        const report = output === "text" ? whole : host.masker.masked(whole);
        if (report.error) printError(report.error.message);
        if (output === "json") await printJson(resultDocument(report));
        else await printer.end(report);
        return exitCode(report);
      },
      overrides,
    );
  },
};
/** Waiting for servers ends when the run is interrupted; the turn then ends as stopped. */
const ignoreStop = (signal: AbortSignal) => (error: unknown) => {
  if (!signal.aborted) throw error;
};
