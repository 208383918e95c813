import type { SafeStorage } from "electron";
import { NacreError } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";
import { readText, writeAtomic } from "../host/kit/files.ts";
import type { SecretStore } from "../host/secrets.ts";

type Cipher = Pick<
  SafeStorage,
  "isEncryptionAvailable" | "getSelectedStorageBackend" | "encryptString" | "decryptString"
>;
interface SafeStoreOptions {
  /** The store that all shells share; it comes first wherever it works. */
  readonly keyring: SecretStore;
  readonly cipher: Cipher;
  /** Holds what is encrypted, as base64 by name. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
}

/**
 * The system's keyring, and where it cannot be had Electron's encryption, whose key the system keeps (spec 11). On
 * Linux a backend without such a key counts as none: nothing secret is ever written in plain text.
 */
export function withSafeStorage({ keyring, cipher, file, platform }: SafeStoreOptions): SecretStore {
  let writing: Promise<unknown> = Promise.resolve();
  let kind: SecretStore["kind"] = "none";
  const isSafe = (): boolean =>
    cipher.isEncryptionAvailable() &&
    (platform !== "linux" || !["basic_text", "unknown"].includes(cipher.getSelectedStorageBackend()));
  const probe: SecretStore["probe"] = async () => {
    kind = (await keyring.probe()) === "keyring" || isSafe() ? "keyring" : "none";
    return kind;
  };
  /** One write after the other, each on what the file says then. */
  const change = (edit: (all: Map<string, string>) => void): Promise<void> => {
    const next = writing.then(async () => {
      const all = readAll(file);
      edit(all);
      await writeAtomic(file, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
    });
    writing = next.catch(() => undefined); // The caller of this write hears of it; the next one starts anew.
    return next;
  };
  return {
    get kind() {
      return kind;
    },
    probe,
    async get(name) {
      const value = await keyring.get(name);
      if (value !== undefined) return value;
      const encrypted = readAll(file).get(name);
      if (encrypted === undefined || !isSafe()) return undefined;
      return decrypt(cipher, name, encrypted);
    },
    async set(name, value) {
      // Without both the keyring's own refusal says what to do.
      if ((await keyring.probe()) === "keyring" || !isSafe()) return keyring.set(name, value);
      await change((all) => all.set(name, cipher.encryptString(value).toString("base64")));
    },
    async remove(name) {
      await keyring.remove(name);
      if (readAll(file).has(name)) await change((all) => all.delete(name));
    },
  };
}

function decrypt(cipher: Cipher, name: string, encrypted: string): string {
  try {
    return cipher.decryptString(Buffer.from(encrypted, "base64"));
  } catch (cause) {
    const message = `${name} cannot be decrypted any more, its key has changed: enter it again`;
    throw new NacreError("unavailable", message, { cause });
  }
}
function readAll(file: string): Map<string, string> {
  const text = readText(file);
  if (text === undefined) return new Map();
  const value: unknown = JSON.parse(text);
  const entries = isObject(value) ? Object.entries(value) : [];
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"));
}
