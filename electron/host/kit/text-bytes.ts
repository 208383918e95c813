import { isAscii, isUtf8 } from "node:buffer";
import type { Finding } from "./finding.ts";

/** A file's text, or what keeps it from being one. */
export type BytesAsText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly finding: Finding };

/**
 * Reads bytes as UTF-8 text and says where they are none: the offset of the byte (from 0), its line and its value.
 * A byte-order mark stays in the text.
 * @param nul What a NUL byte is: no text, or a character that whoever reads on decides about.
 */
export function textOfBytes(bytes: Buffer, nul: "refused" | "kept" = "refused"): BytesAsText {
  const wide = utf16(bytes);
  if (wide !== undefined)
    return unreadable(
      "text-utf-16",
      `the file is ${wide} and not UTF-8, which alone is read`,
      1,
      "save it as UTF-8",
    );
  // What nearly every file is costs half as much to read as such.
  const ascii = isAscii(bytes);
  if (!ascii && !isUtf8(bytes)) return notUtf8(bytes);
  const zero = nul === "kept" ? -1 : bytes.indexOf(0);
  if (zero >= 0)
    return unreadable(
      "text-nul",
      `byte ${zero} of the file is NUL: it is no text`,
      lineOf(bytes, zero),
      "remove the byte, or put what the file should be in its place",
    );
  return { ok: true, text: bytes.toString(ascii ? "latin1" : "utf8") };
}

const [dash, newline] = [0x2d, 0x0a];
const closing = Buffer.from("\n---");
/**
 * The bytes of a Markdown file to the end of the line that closes its front matter, which says all that a list shows of
 * it; all of them where none begins on the first line.
 */
export function headBytes(bytes: Buffer): Buffer {
  const begins = bytes[0] === dash && bytes[1] === dash && bytes[2] === dash && bytes[3] !== dash;
  const close = begins ? bytes.indexOf(closing, 3) : -1;
  const end = close < 0 ? -1 : bytes.indexOf(newline, close + closing.length);
  return end < 0 ? bytes : bytes.subarray(0, end + 1);
}

function notUtf8(bytes: Buffer): BytesAsText {
  const offset = firstBadByte(bytes);
  const line = lineOf(bytes, offset);
  const hex = (bytes[offset] ?? 0).toString(16).toUpperCase().padStart(2, "0");
  return unreadable(
    "text-not-utf-8",
    `byte 0x${hex} at offset ${offset} (line ${line}) is no UTF-8`,
    line,
    "save the file as UTF-8",
  );
}
const unreadable = (code: string, message: string, line: number, fix: string): BytesAsText => ({
  ok: false,
  finding: { code, severity: "error", message, line, fix },
});

/** The place of the first byte that begins no character (RFC 3629, section 4). */
function firstBadByte(bytes: Buffer): number {
  let at = 0;
  while (at < bytes.length) {
    const lead = bytes[at] ?? 0;
    const length =
      lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 0;
    if (length === 0 || (length > 1 && !isUtf8(bytes.subarray(at, at + length)))) return at;
    at += length;
  }
  return at;
}

/** 1-based; CR, LF and CRLF end a line. */
function lineOf(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let index = 0; index < offset; index++) {
    const byte = bytes[index];
    if (byte === 0x0a || (byte === 0x0d && bytes[index + 1] !== 0x0a)) line++;
  }
  return line;
}

/** Told by its mark, or by a NUL at every other of the first bytes. */
function utf16(bytes: Buffer): "UTF-16 LE" | "UTF-16 BE" | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "UTF-16 LE";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "UTF-16 BE";
  if (bytes.length < 4) return undefined;
  if (bytes[0] !== 0 && bytes[1] === 0 && bytes[2] !== 0 && bytes[3] === 0) return "UTF-16 LE";
  if (bytes[0] === 0 && bytes[1] !== 0 && bytes[2] === 0 && bytes[3] !== 0) return "UTF-16 BE";
  return undefined;
}
