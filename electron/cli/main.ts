import { NacreError, toErrorValue } from "../../shared/errors.ts";
import { closeInherited } from "../host/kit/inherited-descriptors.ts";
import { allowFlags, parseArguments, UsageError, type Arguments, type FlagName } from "./arguments.ts";
import { endByHangUp } from "./hang-up.ts";
import { exitCodeOf, exitCodes, printError, printText } from "./output.ts";

/** One command of the command line. `run` answers the exit code. */
export interface Command {
  readonly usage: string;
  readonly flags: readonly FlagName[];
  run(args: Arguments): Promise<number>;
}

/** Each command is a chunk of its own: what is not used is not loaded. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  run: async () => (await import("./commands/run.ts")).run,
  serve: async () => (await import("./commands/serve.ts")).serveCommand,
  skills: async () => (await import("./commands/skills.ts")).skills,
  plugins: async () => (await import("./commands/plugins.ts")).plugins,
  mcp: async () => (await import("./commands/mcp.ts")).mcp,
  agents: async () => (await import("./commands/agents.ts")).agents,
  tools: async () => (await import("./commands/tools.ts")).tools,
  market: async () => (await import("./commands/market.ts")).market,
  sessions: async () => (await import("./commands/sessions.ts")).sessions,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
};
const help = `nacre                 opens the app
nacre run PROMPT      one turn here: --model --agent --session --approval --sandbox --allow --tools --max-steps --wait --output
nacre serve           the app in a browser: --port --no-open
nacre skills          list | show NAME | doctor [NAME] | enable NAME | disable NAME | new NAME | validate PATH
                      repair NAME | remove NAME | restore [ID] | pin NAME | unpin NAME
nacre plugins         list | show NAME | enable NAME | disable NAME | trust | untrust | validate PATH
nacre mcp             list | call SERVER TOOL JSON | logs SERVER
nacre agents          list
nacre tools           list | call NAME JSON
nacre market          search QUERY | plan ID | install ID | uninstall ID | list | sources
nacre sessions        list | show ID | export ID
nacre doctor          what is here and what is wrong; --explain TOOL JSON

Every command takes --workspace DIR, and --json where it prints data.`;

async function main(argv: readonly string[]): Promise<number> {
  const args = parseArguments(argv, __dirname);
  const [name, ...rest] = args.positionals;
  if (args.has("version")) {
    await printText(__NACRE_VERSION__);
    return exitCodes.done;
  }
  if (name === undefined) {
    if (args.has("help")) {
      await printText(help);
      return exitCodes.done;
    }
    return (await import("./commands/app.ts")).openApp(args);
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!load) throw new UsageError(`there is no command "${name}"\n\n${help}`);
  const command = await load();
  if (args.has("help")) {
    await printText(`Usage: ${command.usage}`);
    return exitCodes.done;
  }
  allowFlags(args, command.flags, command.usage);
  return command.run({ ...args, positionals: rest });
}

closeInherited();
main(process.argv.slice(2))
  .then(
    (code) => {
      process.exitCode = code;
    },
    (thrown: unknown) => {
      if (thrown instanceof UsageError) {
        printError(thrown.message);
        process.exitCode = exitCodes.usage;
        return;
      }
      const error = toErrorValue(thrown);
      printError(error.message);
      if (!(thrown instanceof NacreError) && thrown instanceof Error && process.env["NACRE_DEBUG"])
        printError(thrown.stack ?? "");
      process.exitCode = exitCodeOf(error.code);
    },
  )
  .finally(endByHangUp);
