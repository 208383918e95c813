import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSecretStore, type SecretStore } from "../host/secrets.ts";
import { withSafeStorage } from "./safe-store.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "nacre-safe-"));
  file = path.join(folder, "secrets.json");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Turns bytes round, as if with a key of the system's. */
const cipher = (available = true, backend: "gnome_libsecret" | "basic_text" = "gnome_libsecret") => ({
  isEncryptionAvailable: () => available,
  getSelectedStorageBackend: () => backend,
  encryptString: (text: string) => Buffer.from(text).reverse(),
  decryptString: (encrypted: Buffer) => {
    if (encrypted.toString() === "?") throw new Error("another key");
    return Buffer.from(encrypted).reverse().toString();
  },
});
const noKeyring = createSecretStore({ load: () => Promise.reject(new Error("no module")) });
const memory = (): SecretStore & { all: Map<string, string> } => {
  const all = new Map<string, string>();
  return {
    all,
    kind: "keyring",
    probe: () => Promise.resolve("keyring"),
    get: (name) => Promise.resolve(all.get(name)),
    set: (name, value) => Promise.resolve(void all.set(name, value)),
    remove: (name) => Promise.resolve(void all.delete(name)),
  };
};
const store = (keyring: SecretStore, used = cipher(), platform: NodeJS.Platform = "linux"): SecretStore =>
  withSafeStorage({ keyring, cipher: used, file, platform });

test("without a keyring values are encrypted into a file and come back", async () => {
  const secrets = store(noKeyring);
  expect(await secrets.probe()).toBe("keyring");
  await Promise.all([secrets.set("a", "s3cret"), secrets.set("b", "other")]);
  expect(readFileSync(file, "utf8")).not.toContain("s3cret");
  expect(await store(noKeyring).get("a")).toBe("s3cret");
  await secrets.remove("a");
  expect(await secrets.get("a")).toBeUndefined();
  expect(await secrets.get("b")).toBe("other");
});
test("the keyring comes first, and what was in the file is still found", async () => {
  await store(noKeyring).set("old", "1");
  const keyring = memory();
  const secrets = store(keyring);
  await secrets.set("new", "2");
  expect(keyring.all).toEqual(new Map([["new", "2"]]));
  expect(await secrets.get("old")).toBe("1");
  await secrets.remove("old");
  expect(await secrets.get("old")).toBeUndefined();
});
test.each([
  ["no encryption", cipher(false), "darwin"],
  ["Linux without a key", cipher(true, "basic_text"), "linux"],
] as const)("%s: nothing is written, and the way out is named", async (_name, used, platform) => {
  const secrets = store(noKeyring, used, platform);
  expect(await secrets.probe()).toBe("none");
  await expect(secrets.set("a", "s3cret")).rejects.toMatchObject({ code: "needs_setup" });
  expect(() => readFileSync(file)).toThrow("ENOENT");
});
test("a value whose key is gone is an error that says so", async () => {
  writeFileSync(file, JSON.stringify({ a: Buffer.from("?").toString("base64") }));
  await expect(store(noKeyring).get("a")).rejects.toThrow("a cannot be decrypted any more");
});
