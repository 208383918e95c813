import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { readBytes, realPath, sha256 } from "../kit/files.ts";
import { textOfBytes } from "../kit/text-bytes.ts";

/** A skill's file as it is at this moment. */
export interface SkillText {
  readonly bytes: Buffer;
  /** Null where it is no UTF-8 text, or too large for an editor. */
  readonly text: string | null;
  /** Why there is none, with the byte. */
  readonly noText?: string;
  /** Where it lies, links resolved. */
  readonly real: string;
  /** Of its bytes and of the place where links lead it: another file of the same text is another one. */
  readonly digest: string;
}

/** @throws NacreError `not_found`, `io` */
export function readSkillText(file: string): SkillText {
  const bytes = readBytes(file);
  if (!bytes) throw new NacreError("not_found", `the file is gone: ${file}`);
  const real = realPath(file);
  return { bytes, ...textOf(bytes), real, digest: skillDigest(bytes, file, real) };
}
/** The same, of a file that has to be text. @throws NacreError `invalid_input`, `not_found`, `io` */
export function readEditable(file: string): SkillText & { readonly text: string } {
  const read = readSkillText(file);
  const { text, noText } = read;
  if (text === null) throw new NacreError("invalid_input", `${file} cannot be edited here: ${noText}`);
  return { ...read, text };
}
/** What names a text, so that nothing that changed meanwhile is overwritten. */
const skillDigest = (bytes: Uint8Array | string, file: string, real: string): string =>
  real === path.resolve(file) ? sha256(bytes) : sha256(`${real}\0${sha256(bytes)}`);

/** Every character stays, a byte-order mark too, so that what is written back is what was read. */
function textOf(bytes: Buffer): Pick<SkillText, "text" | "noText"> {
  if (bytes.length > largestSkillBytes)
    return {
      text: null,
      noText: `it has ${bytes.length} bytes; at most ${largestSkillBytes} are edited here`,
    };
  const read = textOfBytes(bytes);
  return read.ok ? { text: read.text } : { text: null, noText: read.finding.message };
}
