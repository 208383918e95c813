import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import { withFileLock } from "../config/file-lock.ts";
import { Emitter, type Listenable } from "../kit/emitter.ts";
import { readText, writeAtomic } from "../kit/files.ts";

type Digests = Readonly<Record<string, string>>;
interface Stored {
  /** Digests that wait, by id. */
  readonly drafts: Digests;
  /** Digests that were approved although they differ from what was installed, by id. */
  readonly approved: Digests;
}
const nothing: Stored = { drafts: {}, approved: {} };

/**
 * `<data>/trust/user.json`: what of the user's own waits for approval, and what was approved of it. Other hosts write it,
 * too. Where nobody can tell what it says, everything waits.
 */
export class UserApprovals {
  readonly #file: string;
  readonly #locks: string;
  readonly #servers: string;
  readonly #changed = new Emitter<void>();
  /** It says something else than before, by whomever. */
  readonly onChange: Listenable<void> = this.#changed;
  #stored: Stored | undefined;
  #problem: Diagnostic | undefined;

  /** @param options `locks`: the folder of locks; `servers`: the file whose servers wait, for the advice */
  constructor(options: { readonly file: string; readonly locks: string; readonly servers: string }) {
    this.#file = options.file;
    this.#locks = options.locks;
    this.#servers = options.servers;
    this.read();
  }
  /** Whether it was drafted and nobody has agreed to it yet. */
  waits(id: string): boolean {
    return this.#stored === undefined || Object.hasOwn(this.#stored.drafts, id);
  }
  isApproved(id: string, digest: string): boolean {
    return this.#stored !== undefined && own(this.#stored.approved, id) === digest;
  }
  /** A file that cannot be used; it is left as it is until the person has looked. */
  diagnostics(): readonly Diagnostic[] {
    return this.#problem ? [this.#problem] : [];
  }
  /** Takes in what the file says now. */
  read(): void {
    const before = JSON.stringify(this.#stored);
    this.#problem = undefined;
    this.#stored = this.#load();
    if (JSON.stringify(this.#stored) !== before) this.#changed.emit();
  }
  /** It waits from now on. @throws NacreError `configuration` for a file that cannot be used, `io`, `locked` */
  draft(id: string, digest: string): Promise<void> {
    return this.#change(({ drafts, approved }) => ({ drafts: { ...drafts, [id]: digest }, approved }));
  }
  /** The person agreed to exactly this. @throws NacreError as `draft` */
  approve(id: string, digest: string): Promise<void> {
    return this.#change(({ drafts: { [id]: _waited, ...drafts }, approved }) => ({
      drafts,
      approved: { ...approved, [id]: digest },
    }));
  }

  async #change(make: (now: Stored) => Stored): Promise<void> {
    await withFileLock(this.#locks, this.#file, async () => {
      this.read();
      if (this.#stored === undefined)
        throw new NacreError(
          "configuration",
          `nothing was changed: ${this.#problem?.message ?? this.#file}; ${this.#problem?.fix ?? ""}`,
        );
      await writeAtomic(this.#file, `${JSON.stringify(make(this.#stored), null, 2)}\n`);
      this.read();
    });
  }
  #load(): Stored | undefined {
    try {
      const text = readText(this.#file);
      if (text === undefined) return nothing;
      const stored = parse(text);
      if (stored) return stored;
      this.#refuse(`${this.#file} does not parse`);
    } catch (error) {
      this.#refuse(toErrorValue(error).message);
    }
    return undefined;
  }
  #refuse(reason: string): void {
    this.#problem = {
      code: "user-trust-broken",
      severity: "error",
      message: `${reason}; nobody can tell which of your servers wait for approval, so all of them do`,
      path: this.#file,
      fix: `take every server that you do not know out of ${this.#servers}, then remove ${this.#file}`,
    };
  }
}

/** Undefined for what the app has not written so: something of it is lost then. */
function parse(text: string): Stored | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(value)) return undefined;
  const { drafts, approved } = value;
  return isDigests(drafts) && isDigests(approved) ? { drafts, approved } : undefined;
}
const isDigests = (value: unknown): value is Digests =>
  isObject(value) && Object.values(value).every((digest) => typeof digest === "string");
const own = (digests: Digests, id: string): string | undefined =>
  Object.hasOwn(digests, id) ? digests[id] : undefined;
