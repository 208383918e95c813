import fs from "node:fs";
import path from "node:path";
import { contributionId } from "../../../shared/contribution.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { canonicalJson, isObject } from "../../../shared/json.ts";
import { withFileLock } from "../config/file-lock.ts";
import type { AppPaths, McpDeclaration } from "../config/types.ts";
import { entriesOrNone, readText, sha256, statOrNone, textOrNone, writeAtomic } from "../kit/files.ts";
import { type Pin, type Pins, withApproved, withFirstUse } from "./pins.ts";
import type { McpToolDefinition } from "./types.ts";

const prefix = "mcp-tools.";

interface Entry {
  pins: Pins | undefined;
  /** Of the file as it was read. */
  signature: string;
  problem?: string;
}
/** What is pinned of a server: its declaration, and its tools as they were listed. */
export interface Pinned {
  readonly declaration: McpDeclaration;
  readonly tools: readonly McpToolDefinition[];
}
export interface PinStorePorts {
  readonly paths: Pick<AppPaths, "data">;
  readonly digestOf: (declaration: McpDeclaration) => string;
  /** Something else is pinned than was told before. */
  readonly onChange: () => void;
}

/**
 * The definitions of tools that were agreed to, in `<data>/trust/`, one file for a server and its declaration: the folder
 * that every host watches. Other hosts write them, too. A file that cannot be read counts as nothing pinned, is told of,
 * and is put aside before another is written in its place.
 */
export class PinStore {
  readonly #ports: PinStorePorts;
  readonly #folder: string;
  readonly #entries = new Map<string, Entry>();
  readonly #files = new WeakMap<readonly McpToolDefinition[], string>();
  #writing: Promise<void> = Promise.resolve();
  constructor(ports: PinStorePorts) {
    this.#ports = ports;
    this.#folder = path.join(ports.paths.data, "trust");
  }
  /** What is pinned, with every tool that was never seen pinned from now on. */
  meet(server: Pinned): Pins | undefined {
    const file = this.#fileOf(server);
    const entry = this.#entry(file);
    // Taken now: what the server lists by the time of the write was not met here.
    const { tools } = server;
    const next = withFirstUse(entry.pins, tools);
    if (next !== entry.pins) {
      entry.pins = next;
      this.#queue(file, (pins) => withFirstUse(pins, tools), server);
    }
    return next;
  }
  /** A person agreed to these definitions of the server. @throws NacreError `io`, `locked` */
  async approve(server: Pinned, tools: readonly McpToolDefinition[]): Promise<void> {
    const file = this.#fileOf(server);
    const listed = server.tools;
    await this.#writing;
    await this.#change(file, (pins) => withApproved(withFirstUse(pins, listed), tools), server);
    this.#ports.onChange();
  }
  /** Takes in what other hosts have written. */
  look(): void {
    const changed = [...this.#entries].filter(([file, { signature }]) => signature !== signatureOf(file));
    for (const [file] of changed) this.#entries.delete(file);
    if (changed.length > 0) this.#ports.onChange();
  }
  /** Forgets everything of a server that is gone, by its contribution id. */
  async forget(id: string): Promise<void> {
    await this.#writing;
    for (const { name } of entriesOrNone(this.#folder)) {
      const file = path.join(this.#folder, name);
      if (!name.startsWith(prefix) || serverOf(textOrNone(file)) !== id) continue;
      await fs.promises.rm(file, { force: true });
      this.#entries.delete(file);
    }
  }
  /** Files that could not be read or written, one line each. */
  problems(): string[] {
    return [...this.#entries.values()].flatMap(({ problem }) => problem ?? []);
  }
  /** Resolves when everything is written. */
  written(): Promise<void> {
    return this.#writing;
  }

  #queue(file: string, make: (pins: Pins | undefined) => Pins | undefined, server: Pinned): void {
    this.#writing = this.#writing
      .then(async () => {
        const before = this.#entry(file).pins;
        const after = await this.#change(file, make, server);
        // Another host was first, with other definitions: its pins count.
        if (serialised(before) !== serialised(after)) this.#ports.onChange();
      })
      .catch((error: unknown) => {
        const { message } = toErrorValue(error);
        this.#entry(file).problem =
          `the tools of "${server.declaration.name}" could not be pinned: ${message}`;
        this.#ports.onChange();
      });
  }
  /** @throws NacreError `io`, `locked` */
  #change(
    file: string,
    make: (pins: Pins | undefined) => Pins | undefined,
    { declaration }: Pinned,
  ): Promise<Pins | undefined> {
    return withFileLock(path.join(this.#ports.paths.data, "locks"), file, async () => {
      const { pins, problem } = load(file);
      const next = make(pins);
      if (next === pins || !next) return pins;
      if (problem !== undefined) fs.renameSync(file, asideOf(file));
      const server = contributionId("mcp", declaration.owner, declaration.name);
      const text = `${JSON.stringify({ v: 1, server, tools: Object.fromEntries(next) }, null, 2)}\n`;
      await writeAtomic(file, text);
      this.#entries.set(file, {
        pins: next,
        signature: signatureOf(file),
        ...(problem === undefined ? {} : { problem }),
      });
      return next;
    });
  }
  #entry(file: string): Entry {
    const known = this.#entries.get(file) ?? load(file);
    this.#entries.set(file, known);
    return known;
  }
  /** By the declaration; a workspace's with the files that its approval covers, so that agreeing to them begins anew. */
  #fileOf({ declaration, tools }: Pinned): string {
    const known = this.#files.get(tools);
    if (known !== undefined) return known;
    const { owner, name, raw, base, scope } = declaration;
    const what =
      scope === "workspace"
        ? { owner, name, base, digest: this.#digest(declaration) }
        : scope === "plugin"
          ? { owner, name, base, raw }
          : { owner, name, raw };
    const file = path.join(this.#folder, `${prefix}${sha256(canonicalJson(what)).slice(0, 32)}.json`);
    this.#files.set(tools, file);
    return file;
  }
  #digest(declaration: McpDeclaration): string {
    try {
      return this.#ports.digestOf(declaration);
    } catch {
      // What cannot be compared is not approved, and such a server does not run for long; the gate tells of it.
      return "unreadable";
    }
  }
}

/** Where the text goes of a file that cannot be read: the same text to the same place, another to another. */
const asideOf = (file: string): string => `${file}.broken-${sha256(textOrNone(file) ?? "").slice(0, 8)}`;

function load(file: string): Entry {
  const signature = signatureOf(file);
  try {
    const text = readText(file);
    if (text === undefined) return { pins: undefined, signature };
    const pins = parse(text);
    if (pins) return { pins, signature };
  } catch (error) {
    return { pins: undefined, signature, problem: toErrorValue(error).message };
  }
  const problem = `${file} does not parse: the tools that it spoke of count as approved as they are now; what it held is kept as ${path.basename(asideOf(file))}`;
  return { pins: undefined, signature, problem };
}
/** Undefined for what the app has not written so. */
function parse(text: string): Pins | undefined {
  const value = parsed(text);
  const tools = isObject(value) ? value["tools"] : undefined;
  if (!isObject(tools)) return undefined;
  const pins = new Map<string, Pin>();
  for (const [name, pin] of Object.entries(tools)) {
    if (!isObject(pin)) return undefined;
    const { digest, text: shown, isNew } = pin;
    if (typeof digest !== "string" || typeof shown !== "string") return undefined;
    pins.set(name, { digest, text: shown, ...(isNew === true ? { isNew } : {}) });
  }
  return pins;
}
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
function serverOf(text: string | undefined): unknown {
  const value = text === undefined ? undefined : parsed(text);
  return isObject(value) ? value["server"] : undefined;
}
const serialised = (pins: Pins | undefined): string => canonicalJson(Object.fromEntries(pins ?? []));
function signatureOf(file: string): string {
  const stats = statOrNone(file);
  return stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : "";
}
