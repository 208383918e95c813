import fs from "node:fs";
import path from "node:path";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { readBytes, systemCode } from "../kit/files.ts";
import type { FileStamp } from "../kit/file-index.ts";
import { textOfBytes } from "../kit/text-bytes.ts";
import type { ParsedRole } from "./role.ts";
import type { RoleRoot } from "./roots.ts";

export interface RoleFile {
  readonly file: string;
  /** With links resolved: one file by two ways is one role. */
  readonly real: string;
  readonly stamp: FileStamp;
}
const largestFile = 1024 * 1024;

/**
 * `*.md` of a folder in order of their names; README files describe the folder and are no roles. A link to nothing or
 * in a circle is reported and hides no other.
 */
export function roleFiles({ folder }: RoleRoot, diagnostics: Diagnostic[]): readonly RoleFile[] {
  const tell = (at: string, code: string, message: string): void => {
    diagnostics.push({ code, severity: "warning", message, path: at, fix: "make it readable, or remove it" });
  };
  let names: string[];
  try {
    names = fs.readdirSync(folder).sort();
  } catch (error) {
    const code = systemCode(error);
    if (code !== "ENOENT" && code !== "ENOTDIR")
      tell(folder, "roles-unreadable", `the folder of roles cannot be read: ${code ?? String(error)}`);
    return [];
  }
  return names.flatMap((name) => {
    if (!/\.md$/i.test(name) || /^readme\.md$/i.test(name) || name.startsWith(".")) return [];
    const file = path.join(folder, name);
    try {
      const real = fs.realpathSync.native(file);
      const stamp = fs.statSync(real);
      return stamp.isFile() ? [{ file, real, stamp }] : [];
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      tell(file, "role-unreadable", `${name} cannot be reached: ${code}`);
      return [];
    }
  });
}

/** A role file's text; what keeps it from being read, as an invalid role; undefined where it is gone. */
export function textOfRole(real: string): string | ParsedRole | undefined {
  const invalid = (message: string): ParsedRole => ({
    head: null,
    diagnostics: [{ code: "role-unreadable", severity: "error", message, fix: "make it readable and small" }],
  });
  try {
    const { size } = fs.statSync(real);
    if (size > largestFile) return invalid(`the file has ${size} bytes; at most ${largestFile} are read`);
    const bytes = readBytes(real);
    if (bytes === undefined) return undefined;
    const read = textOfBytes(bytes);
    return read.ok ? read.text : { head: null, diagnostics: [read.finding] };
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === "ENOENT" ? undefined : invalid(toErrorValue(error).message);
  }
}
