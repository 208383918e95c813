import { randomBytes } from "node:crypto";
import { NacreError } from "../../shared/errors.ts";

/** Where secrets lie (spec 11): the system's keyring, or nowhere; then only `${ENV}` is taken. */
export interface SecretStore {
  /** `none` until the keyring was reached, and where there is none; `probe` tells for sure. */
  readonly kind: "keyring" | "none";
  /** Finds out once whether there is a keyring that keeps what it is given. */
  probe(): Promise<"keyring" | "none">;
  /** Undefined where nothing of that name is kept. @throws NacreError `unavailable` where the keyring stays locked. */
  get(name: string): Promise<string | undefined>;
  /** @throws NacreError `needs_setup` where there is no keyring, `unavailable` where it refuses. */
  set(name: string, value: string): Promise<void>;
  remove(name: string): Promise<void>;
}
/** What we use of `@napi-rs/keyring`. */
interface KeyringEntry {
  getPassword(signal?: AbortSignal): Promise<string | null | undefined>;
  setPassword(value: string, signal?: AbortSignal): Promise<void>;
  deleteCredential(signal?: AbortSignal): Promise<boolean>;
}
export type OpenEntry = (service: string, name: string) => KeyringEntry;

const service = "nacre";
/** A locked keyring asks its owner; a hung one must not hold us for ever, ms. */
const patience = 60_000;

/** Loaded when first used: a native module, missing where it could not be installed. */
async function loadKeyring(): Promise<OpenEntry> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  // The kernel's keyring on Linux forgets everything at the next start: only the desktop's is a store.
  return (owner, name) => new AsyncEntry(owner, name, { linux: { store: "secret-service" } });
}

/** @param options.load opens the keyring; `@napi-rs/keyring` where absent */
export function createSecretStore(options: { readonly load?: () => Promise<OpenEntry> } = {}): SecretStore {
  const load = options.load ?? loadKeyring;
  let kind: "keyring" | "none" = "none";
  let opened: Promise<OpenEntry | undefined> | undefined;
  let probed: Promise<OpenEntry | undefined> | undefined;
  const open = (): Promise<OpenEntry | undefined> => (opened ??= load().catch(() => undefined));
  const probe = (): Promise<OpenEntry | undefined> =>
    (probed ??= open().then(async (entry) => {
      const works = entry !== undefined && (await keeps(entry));
      kind = works ? "keyring" : "none";
      return works ? entry : undefined;
    }));
  const attempt = async <T>(what: string, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    try {
      return await act(AbortSignal.timeout(patience));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new NacreError(
        "unavailable",
        `the system's keyring could not ${what}: ${reason}; unlock it and try again`,
        {
          cause: error,
        },
      );
    }
  };
  return {
    get kind() {
      return kind;
    },
    probe: async () => ((await probe()) ? "keyring" : "none"),
    get: async (name) => {
      // Reading needs no probe, but where it fails: then the probe tells a locked keyring from none at all.
      const entry = await open();
      if (!entry) return undefined;
      try {
        const value = await entry(service, name).getPassword(AbortSignal.timeout(patience));
        kind = "keyring";
        return value ?? undefined;
      } catch {
        const working = await probe();
        if (!working) return undefined;
        return (
          (await attempt(`read ${name}`, (signal) => working(service, name).getPassword(signal))) ?? undefined
        );
      }
    },
    set: async (name, value) => {
      const entry = await probe();
      if (!entry) throw noKeyring(name);
      await attempt(`keep ${name}`, (signal) => entry(service, name).setPassword(value, signal));
    },
    remove: async (name) => {
      const entry = await probe();
      if (entry) await attempt(`remove ${name}`, (signal) => entry(service, name).deleteCredential(signal));
    },
  };
}

/** Whether what is written can be read again. */
async function keeps(open: OpenEntry): Promise<boolean> {
  const value = randomBytes(8).toString("hex");
  try {
    const entry = open(service, `probe-${value}`);
    const signal = AbortSignal.timeout(patience);
    await entry.setPassword(value, signal);
    const read = await entry.getPassword(signal);
    await entry.deleteCredential(signal);
    return read === value;
  } catch {
    // No service, no session bus, no desktop: all mean that there is no keyring.
    return false;
  }
}
function noKeyring(name: string): NacreError {
  const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
  return new NacreError(
    "needs_setup",
    `there is no keyring on this system to keep ${name} in, and secrets are never written as plain text: ` +
      `put the value into an environment variable and write \${${variable}} in its place`,
    { data: { name, variable } },
  );
}
