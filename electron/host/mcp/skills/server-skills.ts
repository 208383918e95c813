import { NacreError, toErrorValue } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { largestSkillBytes } from "../../../../shared/skills.ts";
import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";
import { Emitter, type Listenable } from "../../kit/emitter.ts";
import { Repeat } from "../repeat.ts";
import type { McpServer } from "../server.ts";
import type { Connection } from "../types.ts";
import { readSkillEntry, type ListedFile, type ServerSkillEntry } from "./entry.ts";
import { checkBytes, checkedBody, contentBytes, textOfBytes } from "./verify.ts";

export const skillsExtension = "io.modelcontextprotocol/skills";
const mostPages = 64;
const mostSkills = 500;
const manifest = "SKILL.md";
/** Bytes of a file beside SKILL.md, as of a local skill's. */
const largestFile = 512 * 1024;

/** A skill that a ready server offers. */
export interface ServerSkill {
  readonly server: McpServer;
  /** Where it was listed; a later session is asked anew. */
  readonly connection: Connection;
  readonly entry: ServerSkillEntry;
}
export interface LoadedServerSkill {
  /** SKILL.md without its front matter. */
  readonly body: string;
  /** Paths of its other files; empty where they change. */
  readonly files: readonly string[];
}
interface Known {
  readonly connection: Connection;
  readonly listing: Repeat;
  skills: readonly ServerSkillEntry[];
}

/**
 * Skills of servers that speak the extension (SEP-2640). Only names and descriptions are asked for by themselves; a text is
 * fetched when somebody loads it, and what does not verify is never handed on.
 */
export class ServerSkills {
  readonly #servers: () => readonly McpServer[];
  readonly #known = new WeakMap<McpServer, Known>();
  readonly #listing = new Set<Promise<void>>();
  #told = "";
  readonly #changed = new Emitter<void>();
  /** Other skills are offered. */
  readonly onChange: Listenable<void> = this.#changed;

  /** @param servers those that count, in the order of the configuration */
  constructor(servers: () => readonly McpServer[]) {
    this.#servers = servers;
  }
  /** Those of ready servers, in the order of the configuration. */
  all(): readonly ServerSkill[] {
    return this.#servers().flatMap((server) => {
      const known = this.#known.get(server);
      if (!known || known.connection !== server.connection) return [];
      return known.skills.map((entry) => ({ server, connection: known.connection, entry }));
    });
  }
  /** Is told whenever the state of a server may have changed. */
  follow(server: McpServer): void {
    const known = this.#known.get(server);
    const { connection } = server;
    if (known?.connection === connection) return;
    this.#known.delete(server);
    this.sync();
    if (!connection || !isOffered(connection)) return;
    const listing = new Repeat(() => this.#list(server, connection));
    this.#known.set(server, { connection, listing, skills: [] });
    this.#follow(listing.request());
  }
  /** Resolves when nothing is being listed. Never rejects. */
  async settled(): Promise<void> {
    while (this.#listing.size > 0) await Promise.all(this.#listing);
  }
  /** Tells of it where other skills are offered than were told of last. */
  sync(): void {
    const now = JSON.stringify(
      this.all().map(({ server, entry }) => [server.id, entry.uri, entry.description, entry.frontmatter]),
    );
    if (now === this.#told) return;
    this.#told = now;
    this.#changed.emit();
  }
  /** The server's list may be another by now. */
  refresh(server: McpServer): void {
    const known = this.#known.get(server);
    if (known) this.#follow(known.listing.request());
  }
  /** Fetches its text. @throws NacreError `denied` for what does not verify, with the reason; as `McpServer.request` */
  async load(skill: ServerSkill, signal: AbortSignal): Promise<LoadedServerSkill> {
    const entry = await this.#fresh(skill, signal);
    const bytes = await this.#bytes(skill, entry, manifest, signal);
    if (bytes.length > largestSkillBytes)
      throw new NacreError(
        "denied",
        `it is refused: its text has ${bytes.length} bytes; at most ${largestSkillBytes} are taken`,
      );
    const body = await checkedBody(textOfBytes(bytes, manifest), entry);
    const files =
      entry.files === "dynamic" ? [] : [...entry.files.keys()].filter((path) => !isManifest(path)).sort();
    return { body, files };
  }
  /** One of its other files. @throws NacreError `not_found`; as `load` */
  async file(skill: ServerSkill, path: string, signal: AbortSignal): Promise<string> {
    const wanted = path.replace(/^\.\//, "");
    // Another skill inside is loaded by its own name, where its server offers it: nobody agreed to it by loading this one.
    if (isManifest(wanted) && wanted !== manifest)
      throw new NacreError("denied", `${path} is a skill of its own: load it by its name`);
    const entry = await this.#fresh(skill, signal);
    const bytes = await this.#bytes(skill, entry, wanted, signal);
    if (bytes.length > largestFile)
      throw new NacreError(
        "invalid_input",
        `${path} has ${bytes.length} bytes; at most ${largestFile} are read`,
      );
    return textOfBytes(bytes, path);
  }

  #follow(listing: Promise<void>): void {
    this.#listing.add(listing);
    void listing.then(() => this.#listing.delete(listing));
  }
  /** The entry as it is now; a server that gives none has to hold what it listed. */
  async #fresh({ server, entry }: ServerSkill, signal: AbortSignal): Promise<ServerSkillEntry> {
    let given: unknown;
    try {
      const result = await server.request("skills/get", { uri: entry.uri }, {}, signal);
      given = isObject(result) ? result["skill"] : undefined;
    } catch (error) {
      signal.throwIfAborted();
      // The server answered that it cannot: anything else is told.
      if (!(error instanceof NacreError) || error.code !== "invalid_input") throw error;
    }
    if (given === undefined) return entry;
    const read = readSkillEntry(given);
    if (typeof read === "string") throw new NacreError("denied", `it is refused: ${read}`);
    if (read.uri !== entry.uri)
      throw new NacreError("denied", `it is refused: its server answered with another skill, ${read.uri}`);
    return read;
  }
  async #bytes(
    { server }: ServerSkill,
    entry: ServerSkillEntry,
    path: string,
    signal: AbortSignal,
  ): Promise<Buffer> {
    const listed = listedFile(entry, path);
    const result = await server.request("resources/read", { uri: listed.uri }, {}, signal);
    const bytes = contentBytes(result, listed.uri);
    if ("digest" in listed) checkBytes(bytes, listed, path);
    return bytes;
  }
  async #list(server: McpServer, connection: Connection): Promise<void> {
    try {
      const skills = await this.#walk(server);
      const known = this.#known.get(server);
      if (known?.connection !== connection) return;
      known.skills = skills;
      this.sync();
    } catch (error) {
      server.log.note(`skills/list: ${toErrorValue(error).message}; the known ones stay`);
    }
  }
  async #walk(server: McpServer): Promise<readonly ServerSkillEntry[]> {
    const skills = new Map<string, ServerSkillEntry>();
    const cursors = new Set<string>();
    let params: JsonObject = {};
    for (let page = 0; page < mostPages; page++) {
      const result = await server.request("skills/list", params, {}, AbortSignal.timeout(60_000));
      const list = isObject(result) ? result["skills"] : undefined;
      if (!isObject(result) || !Array.isArray(list))
        throw new NacreError("invalid_input", "the server answered without a list of skills");
      for (const raw of list as readonly unknown[]) {
        const entry = readSkillEntry(raw);
        const why =
          typeof entry === "string" ? entry : skills.has(entry.uri) ? "it is listed twice" : undefined;
        if (why !== undefined || typeof entry === "string")
          server.log.note(`skills/list: left out ${nameOf(raw)}: ${cutEnd(why ?? "", 500).kept}`);
        else if (skills.size < mostSkills) skills.set(entry.uri, entry);
      }
      const next = result["nextCursor"];
      if (typeof next !== "string" || next === "" || cursors.has(next)) break;
      cursors.add(next);
      params = { cursor: next };
    }
    return [...skills.values()];
  }
}

const isOffered = ({ capabilities: { extensions } }: Connection): boolean =>
  isObject(extensions) && isObject(extensions[skillsExtension]);
const isManifest = (path: string): boolean => path === manifest || path.endsWith(`/${manifest}`);
const nameOf = (raw: unknown): string =>
  isObject(raw) && typeof raw["uri"] === "string" ? visibleName(raw["uri"]) : "an entry without an address";

/** @throws NacreError `not_found` */
function listedFile({ files, root }: ServerSkillEntry, path: string): ListedFile | { readonly uri: string } {
  const isPlain = path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
  const found = files === "dynamic" ? undefined : files.get(path);
  if (found) return found;
  if (files !== "dynamic" || !isPlain)
    throw new NacreError("not_found", `the skill has no file ${visibleName(path)}`);
  return { uri: `${root}/${path.split("/").map(encodeURIComponent).join("/")}` };
}
