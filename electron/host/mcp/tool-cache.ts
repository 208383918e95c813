import fs from "node:fs";
import path from "node:path";
import { isObject, canonicalJson } from "../../../shared/json.ts";
import type { McpDeclaration } from "../config/types.ts";
import { readText, sha256, writeAtomic } from "../kit/files.ts";
import type { Logger } from "../kit/log.ts";
import type { McpToolDefinition } from "./types.ts";

/** The tools that lazy servers had in their last run (spec 6, `start`), in `<cache>/mcp-tools/`. A changed declaration has none. */
export class ToolCache {
  readonly #folder: string;
  readonly #log: Logger;
  #writing: Promise<void> = Promise.resolve();
  constructor(cacheFolder: string, log: Logger) {
    this.#folder = path.join(cacheFolder, "mcp-tools");
    this.#log = log;
  }
  read(declaration: McpDeclaration): readonly McpToolDefinition[] | undefined {
    const file = this.#file(declaration);
    try {
      const text = readText(file);
      const list: unknown = text === undefined ? undefined : JSON.parse(text);
      return Array.isArray(list) && list.every(isTool) ? list : undefined;
    } catch (error) {
      this.#log.warn("the tools of a server's last run cannot be read", { file, error: String(error) });
      return undefined;
    }
  }
  write(declaration: McpDeclaration, tools: readonly McpToolDefinition[]): void {
    const file = this.#file(declaration);
    const text = JSON.stringify(tools);
    if (fs.existsSync(file) && readText(file) === text) return;
    const before = this.#writing;
    this.#writing = writeAtomic(file, text)
      .catch((error: unknown) =>
        this.#log.warn("the tools of a server cannot be kept", { file, error: String(error) }),
      )
      .then(() => before);
  }
  /** Resolves when everything is written. */
  written(): Promise<void> {
    return this.#writing;
  }
  #file({ owner, name, raw, base }: McpDeclaration): string {
    return path.join(this.#folder, `${sha256(canonicalJson({ owner, name, raw, base }))}.json`);
  }
}

const isTool = (value: unknown): value is McpToolDefinition =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  typeof value["description"] === "string" &&
  isObject(value["inputSchema"]);
