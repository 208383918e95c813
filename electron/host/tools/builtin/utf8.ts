import { NacreError } from "../../../../shared/errors.ts";
import { looksBinary } from "./text.ts";

/** The text of bytes, a byte order mark kept as its first character; undefined where they are no UTF-8 text. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (looksBinary(bytes)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
/** @throws NacreError `invalid_input` where writing it again would destroy it. */
export function textToEdit(bytes: Uint8Array, shown: string): string {
  const text = decodeText(bytes);
  if (text === undefined)
    throw new NacreError(
      "invalid_input",
      `${shown} is no UTF-8 text, an edit would damage it; change it with a program of its own (run_shell)`,
    );
  return text;
}
