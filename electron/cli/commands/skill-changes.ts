import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { SkillRepair } from "../../../shared/skills.ts";
import type { Host } from "../../host/host.ts";
import { unifiedDiff } from "../../host/tools/builtin/unified-diff.ts";
import { agreed } from "../agreed.ts";
import { UsageError, type Arguments } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printError, printJson, printText } from "../output.ts";
import { removedText, undoOf } from "../removed-text.ts";
import { assertOneMeant, removedSkillText, repairedText } from "../skill-change-text.ts";

/** The skill that a person means; of several of a name the one that counts, or that of `--source`. @throws NacreError */
const idOf = (host: Host, args: Arguments, name: string): string =>
  host.skills.reader.find(name, args.text("source")).entry.id;

/** `nacre skills remove NAME`: to the trash, and how to get it back. */
export const removeSkill = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host) => {
    assertOneMeant(host.skills.rows(), name, args.text("source"));
    const { entry } = host.skills.reader.find(name, args.text("source"));
    const was = host.skills.rows().find(({ id }) => id === entry.id);
    const removed = await (await host.skillManager()).remove(entry.id);
    if (args.has("json")) await printJson(removed);
    else {
      const next = host.skills.rows().find((row) => row.name === entry.name && row.state === "on");
      // It was on already where it was not the one that counted.
      const heir = was?.state === "on" ? next : undefined;
      if (was) await printText(removedSkillText(was, removed.undo ?? "", heir));
      if (removed.place !== null) printError(`it lies at ${removed.place} for 30 days`);
      if (removed.linkTo !== undefined)
        printError(`it was a link, which alone is gone: ${removed.linkTo} stays where it is`);
    }
    return exitCodes.done;
  });

/** `nacre skills restore ID|NAME`; without one, what can be restored. */
export const restoreSkill = (args: Arguments, undo: string | undefined): Promise<number> =>
  withHost(args, async (host) => {
    const manager = await host.skillManager();
    if (undo === undefined) {
      const removed = manager.removed();
      if (args.has("json")) await printJson(removed);
      else await printText(removedText(removed));
      return exitCodes.done;
    }
    const restored = await manager.restore(undoOf(manager.removed(), undo));
    if (args.has("json")) await printJson(restored);
    else await printText(`restored ${restored.name} to ${restored.path}`);
    return exitCodes.done;
  });

/** `nacre skills pin NAME --source S`: it wins its name whatever its rank. */
export const pinSkill = (args: Arguments, name: string, pinned: boolean): Promise<number> =>
  withHost(args, async (host) => {
    const source = args.text("source");
    const rows = host.skills.rows().filter((row) => row.name === name);
    if (source === undefined && pinned && rows.length > 1)
      throw new UsageError(
        `--source says which ${name} is meant: one of ${rows.map((row) => row.source).join(", ")}`,
      );
    const manager = await host.skillManager();
    // Only one of a name is pinned, so that the name alone says which one it is, whatever became of it.
    const known = pinned || source !== undefined ? undefined : manager.pinnedOf(name);
    const id = known ?? idOf(host, args, name);
    const was = await manager.pin(id, pinned);
    const row = host.skills.rows().find((one) => one.id === id);
    if (args.has("json")) await printJson(row);
    else
      await printText(
        `${name} of ${row?.source ?? ""} ${pinned ? "is pinned" : was ? "is no longer pinned" : "was not pinned"}: ${row?.state ?? ""}`,
      );
    return exitCodes.done;
  });

/** `nacre skills repair NAME|PATH`: shows the difference and asks; without a terminal `--yes` has to agree. */
export const repairSkill = (args: Arguments, what: string): Promise<number> =>
  withHost(args, async (host, signal) => {
    const manager = await host.skillManager();
    const at = path.resolve(what);
    const row = host.skills.rows().find((one) => one.path === at || one.path === path.join(at, "SKILL.md"));
    const isPath = row !== undefined || what !== path.basename(what);
    const id = row?.id ?? (isPath ? undefined : idOf(host, args, what));
    const repair = id === undefined ? await manager.repairFile(at) : await manager.repair(id);
    await printDifference(repair);
    if (!args.has("yes") && !(await agreed("Repair it?", signal)))
      throw new NacreError(
        "denied",
        process.stdin.isTTY
          ? "not repaired: nothing was written"
          : "not repaired: there is no terminal to ask on; --yes answers the question",
      );
    const changed =
      id === undefined
        ? await manager.applyFileRepair(at, repair.digest)
        : await manager.applyRepair(id, repair.digest);
    if (args.has("json")) await printJson(changed);
    else {
      const left = "diagnostics" in changed ? changed.diagnostics : await lenient(repair.path);
      await printText(repairedText(repair.path, left));
    }
    return exitCodes.done;
  });
/** What keeps a file that no list has from being a skill. */
async function lenient(file: string): Promise<readonly Diagnostic[]> {
  const { validateSkill } = await import("../../host/skills/validate.ts");
  return validateSkill(file, { strict: false });
}
/** On standard error, as everything that is asked about: standard output holds the outcome alone. */
async function printDifference({ path: file, before, after, changes }: SkillRepair): Promise<void> {
  for (const change of changes) printError(`- ${change}`);
  printError((await unifiedDiff(file, before, after)) ?? "");
}
