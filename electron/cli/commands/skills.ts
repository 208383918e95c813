import path from "node:path";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { Command } from "../main.ts";
import { atMost, oneOf, positional, UsageError, type Arguments } from "../arguments.ts";
import { diagnosticLine, printDiagnostics } from "../diagnostics.ts";
import { fitLine } from "../fit-line.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printJson, printText, table } from "../output.ts";
import { madeText, switchedText } from "../skill-change-text.ts";
import { skillExplanationText } from "../skill-explanation-text.ts";
import { pinSkill, removeSkill, repairSkill, restoreSkill } from "./skill-changes.ts";

const usage =
  "nacre skills list | show NAME [--file F] | doctor [NAME] | enable NAME [--source S] | disable NAME [--source S] | new NAME [--scope user|workspace] | validate PATH | repair NAME|PATH [--source S] [--yes] | remove NAME [--source S] | restore [ID|NAME] | pin NAME --source S | unpin NAME [--source S]";

export const skills: Command = {
  usage,
  flags: ["file", "source", "scope", "yes"],
  async run(args) {
    const verb = args.positionals[0] ?? "list";
    const name = (what = "NAME"): string => {
      atMost(args, 2, usage);
      return positional(args, 1, what, usage);
    };
    switch (verb) {
      case "list":
        atMost(args, 1, usage);
        return list(args);
      case "show":
        return show(args, name());
      case "doctor":
        atMost(args, 2, usage);
        return doctor(args, args.positionals[1]);
      case "enable":
      case "disable":
        return enable(args, name(), verb === "enable");
      case "new":
        return create(args, name());
      case "validate": {
        const at = path.resolve(name("PATH"));
        const { validateSkill } = await import("../../host/skills/validate.ts");
        return printDiagnostics(await validateSkill(at), args.has("json"));
      }
      case "repair":
        return repairSkill(args, name("NAME or PATH"));
      case "remove":
        return removeSkill(args, name());
      case "restore":
        atMost(args, 2, usage);
        return restoreSkill(args, args.positionals[1]);
      case "pin":
      case "unpin":
        return pinSkill(args, name(), verb === "pin");
      default:
        throw new UsageError(`Usage: ${usage}`);
    }
  },
};

/** What people read of a skill: what is wrong with it, where it does not load. */
const about = ({ description, diagnostics }: SkillRow): string =>
  description === ""
    ? (diagnostics.find(({ severity }) => severity === "error")?.message ?? "")
    : description;

const list = (args: Arguments): Promise<number> =>
  withHost(args, async (host) => {
    const rows = host.skills.rows();
    if (args.has("json")) await printJson(rows);
    else {
      const plain = rows.map(({ name, source, state }) => [state, source, name] as const);
      const widthOf = (column: 0 | 1 | 2): number => Math.max(0, ...plain.map((row) => row[column].length));
      // Two blanks stand between columns.
      const used = widthOf(0) + widthOf(1) + widthOf(2) + 6;
      // A terminal that does not know its width says 0.
      const left =
        process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns - used : undefined;
      await printText(table(rows.map((row) => [row.state, row.source, row.name, fitLine(about(row), left)])));
    }
    return exitCodes.done;
  });

const show = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host) => {
    const file = args.text("file");
    const { reader } = host.skills;
    const { entry } = reader.find(name);
    // It says why where the skill does not load; what is shown then would be empty.
    const skill = await reader.load(entry);
    if (file !== undefined) {
      const content = await reader.file(skill, file);
      await (args.has("json") ? printJson({ name: skill.name, file, content }) : printText(content));
    } else if (args.has("json")) {
      const {
        name: own,
        description,
        content,
        row,
        metadata,
        resources,
      } = await (await host.skillManager()).show(entry.id);
      await printJson({ name: own, description, content, path: row.path, metadata, resources });
    } else await printText(skill.content);
    return exitCodes.done;
  });

const doctor = (args: Arguments, name: string | undefined): Promise<number> =>
  withHost(args, async (host) => {
    const manager = await host.skillManager();
    const roots = manager
      .roots()
      .flatMap(({ source, enabled, folders }) =>
        folders.map(({ path: at, exists, count }) => ({ source, path: at, exists, count, enabled })),
      );
    const explained = name === undefined ? undefined : await manager.explain(name);
    const diagnostics = explained?.diagnostics ?? host.skills.diagnostics();
    if (args.has("json")) {
      await printJson({
        roots,
        diagnostics,
        ...(explained ? { skills: explained.verdicts, reasons: explained.reasons } : {}),
      });
      return exitCodes.done;
    }
    const counted = roots.map(({ source, path: at, exists, count, enabled }) => [
      source,
      at,
      enabled ? (exists ? plural(count, "skill") : "–") : "off",
    ]);
    // What was asked comes first; the places are for who asks about all of them.
    const answer = explained ? skillExplanationText(explained) : "";
    if (explained && answer !== "") await printText(answer);
    if (!explained) await printText(table(counted));
    for (const one of diagnostics) await printText(diagnosticLine(one));
    // Of a skill that was found its own place stands above.
    if (explained?.verdicts.length === 0) await printText(table(counted));
    await printText(summary(host.skills.rows(), diagnostics));
    return exitCodes.done;
  });

const plural = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`;
/** `12 skills on, 1 shadowed; 1 error, 2 warnings` */
function summary(rows: readonly SkillRow[], diagnostics: readonly { readonly severity: string }[]): string {
  const states = new Map<string, number>();
  for (const { state } of rows) states.set(state, (states.get(state) ?? 0) + 1);
  const on = states.get("on") ?? 0;
  states.delete("on");
  const others = [...states].map(([state, count]) => `${count} ${state}`);
  const of = (severity: string): number => diagnostics.filter((one) => one.severity === severity).length;
  const told = [plural(of("error"), "error"), plural(of("warning"), "warning")];
  return `${[`${plural(on, "skill")} on`, ...others].join(", ")}; ${told.join(", ")}`;
}

const enable = (args: Arguments, name: string, on: boolean): Promise<number> =>
  withHost(args, async (host) => {
    const row = await host.skills.setEnabled(name, on, args.text("source"));
    await (args.has("json") ? printJson(row) : printText(switchedText(row, on)));
    return exitCodes.done;
  });

const create = (args: Arguments, name: string): Promise<number> => {
  const scope = oneOf(args, "scope", ["user", "workspace"] as const) ?? "workspace";
  return withHost(args, async (host) => {
    const row = await (await host.skillManager()).create({ name, scope });
    await (args.has("json") ? printJson(row) : printText(madeText(row)));
    return exitCodes.done;
  });
};
