import { randomBytes } from "node:crypto";
import os from "node:os";
import path from "node:path";

/** Where a local socket listens, and what has to be said first by whoever connects to it. */
export interface LocalAddress {
  readonly address: string;
  /** 32 characters; others on the machine may find the address. */
  readonly password: string;
}

/** A new address: an abstract name on Linux (no file), a named pipe on Windows, else a file in the temporary folder. */
export function newLocalAddress(platform: NodeJS.Platform = process.platform): LocalAddress {
  const name = `nacre-${randomBytes(12).toString("hex")}`;
  return { address: addressOf(name, platform), password: randomBytes(16).toString("hex") };
}
function addressOf(name: string, platform: NodeJS.Platform): string {
  if (platform === "linux") return `\0${name}`;
  if (platform === "win32") return `\\\\.\\pipe\\${name}`;
  return path.join(os.tmpdir(), `${name}.sock`);
}
