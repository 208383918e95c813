import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { parseJsonc } from "../config/jsonc-read.ts";
import type { Edit } from "../config/jsonc.ts";
import type { ConfigStore } from "../config/store.ts";
import { lookAt, readText, sha256, systemCode } from "../kit/files.ts";
import type { Journal } from "./journal.ts";
import { entryHash, removeEmptyFolders, valueAt } from "./placed.ts";
import type { Placement } from "./plan.ts";
import type { EntryFile } from "./types.ts";

type Folder = NonNullable<Placement["folder"]>;
type Entry = NonNullable<Placement["entry"]>;
/** A virus scanner may hold a fresh folder for a moment: waits between attempts, ms. */
const renameWaits = [20, 50, 100, 200, 400, 800];

/** Writes files into a new folder, each flushed. */
export function stage(folder: string, files: readonly EntryFile[]): void {
  for (const file of files) {
    const target = path.join(folder, file.path);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, file.text, { flag: "wx", flush: true });
  }
}

export const hashesOf = ({ target, files }: Folder): { path: string; sha256: string }[] =>
  files.map((file) => ({ path: path.join(target, file.path), sha256: sha256(file.text) }));

/**
 * Renames the staged folder to its place. On another disk it is copied beside the place first.
 * @throws NacreError `already_exists`
 */
export async function placeFolder(staged: string, folder: Folder, journal: Journal): Promise<void> {
  const { target } = folder;
  const noted = { target, files: hashesOf(folder) };
  await journal.note({ folder: { ...noted, staged, placing: true } }, [target]);
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if (await rename(staged, target)) return;
  // Beside the folder of all skills, where nothing looks for one.
  const near = path.join(path.dirname(path.dirname(target)), `.nacre-${path.basename(target)}.tmp`);
  await journal.note({ folder: { ...noted, staged: near, placing: false } });
  fs.rmSync(near, { recursive: true, force: true });
  fs.cpSync(staged, near, { recursive: true });
  await journal.note({ folder: { ...noted, staged: near, placing: true } });
  if (!(await rename(near, target)))
    throw new NacreError("io", `${near} and ${target} lie on different disks: choose another folder`);
}

/** False where the two lie on different disks. */
async function rename(from: string, to: string): Promise<boolean> {
  for (let attempt = 0; ; attempt++) {
    // A folder without files is no obstacle; one that anything lies in stays, and the rename fails.
    if (lookAt(to)?.isDirectory()) removeEmptyFolders(to);
    if (lookAt(to)) throw new NacreError("already_exists", `${to} is there already: remove it first`);
    try {
      fs.renameSync(from, to);
      return true;
    } catch (error) {
      const code = systemCode(error) ?? "";
      if (code === "EXDEV") return false;
      const wait = renameWaits[attempt];
      if (process.platform !== "win32" || !["EPERM", "EBUSY", "EACCES"].includes(code) || wait === undefined)
        throw new NacreError("io", `${to} cannot be placed (${code}): nothing was installed`, {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}

/**
 * Puts a server into its file; comments and the rest stay.
 * @throws NacreError `already_exists`; `configuration` for a file that does not parse
 */
export async function placeEntry(
  { file, pointer, value }: Entry,
  journal: Journal,
  config: Pick<ConfigStore, "updateFile">,
): Promise<void> {
  const text = readText(file);
  const parsed = await parseJsonc(text ?? "");
  if (!parsed.ok)
    throw new NacreError(
      "configuration",
      `nothing was installed: ${file} does not parse (line ${parsed.line}: ${parsed.message}); mend it first`,
    );
  const madeParent = valueAt(parsed.value, pointer.slice(0, -1)) === undefined;
  const entry = { path: file, pointer: [...pointer], sha256: entryHash(value) };
  await journal.note({ entry: { ...entry, madeFile: text === undefined, madeParent } }, [file]);
  await config.updateFile(file, (current): Edit[] => {
    if (valueAt(current, pointer) !== undefined)
      throw new NacreError(
        "already_exists",
        `${file} has a server ${pointer.at(-1)} already: remove it first`,
      );
    return [{ path: [...pointer], value }];
  });
}
