import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import * as z from "zod/mini";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { NacreError } from "../../../shared/errors.ts";
import type { Receipt } from "../../../shared/market.ts";
import { isInside, readText, realPath, sha256, systemCode, writeAtomic } from "../kit/files.ts";
import type { InstallScope, Places } from "./places.ts";

const hash = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const receiptSchema = z.object({
  v: z.literal(1),
  id: z.string().check(z.minLength(1)),
  kind: z.enum(["skill", "plugin", "mcp"]),
  name: z.string().check(z.minLength(1)),
  files: z.array(z.object({ path: z.string(), sha256: hash })),
  entries: z.array(z.object({ path: z.string(), pointer: z.array(z.string()), sha256: hash })),
  source: z.string(),
  version: z.optional(z.string()),
  installedAt: z.string(),
});

/** A file name for any id: readable, and of its own even where two ids look alike. */
export const fileNameOf = (id: string): string =>
  `${id.replaceAll(/[^A-Za-z0-9._-]/g, "_").slice(0, 80)}-${sha256(id).slice(0, 8)}`;

/**
 * The records of what was installed. Those of the workspace lie in it and name their files relative to it, so that a
 * moved workspace keeps them; as others may have written them, none may name anything outside `<ws>/.agent`.
 */
export class ReceiptStore {
  readonly #places: Places;
  constructor(places: Places) {
    this.#places = places;
  }
  fileOf(id: string, scope: InstallScope): string {
    return path.join(this.#places.receipts(scope), `${fileNameOf(id)}.json`);
  }
  /** Every receipt that can be read, by name; what cannot is a diagnostic. */
  read(): { receipts: Receipt[]; diagnostics: Diagnostic[] } {
    const diagnostics: Diagnostic[] = [];
    const receipts = (["user", "workspace"] as const).flatMap((scope) =>
      namesIn(this.#places.receipts(scope)).flatMap((name) => {
        const file = path.join(this.#places.receipts(scope), name);
        const receipt = this.#readOne(file, scope);
        if (typeof receipt !== "string") return [receipt];
        diagnostics.push({
          code: "receipt-invalid",
          severity: "warning",
          message: `${file} does not count: ${receipt}`,
          path: file,
          fix: "remove it, and what it installed by hand",
        });
        return [];
      }),
    );
    return { receipts: receipts.sort((a, b) => (a.name < b.name ? -1 : 1)), diagnostics };
  }
  #readOne(file: string, scope: InstallScope): Receipt | string {
    try {
      return this.#parse(readText(file) ?? "", scope);
    } catch (error) {
      if (error instanceof NacreError) return error.message;
      throw error;
    }
  }
  #parse(text: string, scope: InstallScope): Receipt | string {
    let raw: unknown;
    try {
      raw = JSON.parse(text);
    } catch {
      return "it is no JSON";
    }
    const parsed = z.safeParse(receiptSchema, raw);
    if (!parsed.success) return z.prettifyError(parsed.error);
    const { version, ...rest } = parsed.data;
    const resolve = (name: string): string =>
      scope === "user" ? name : path.resolve(path.dirname(this.#places.agent), name);
    const receipt: Receipt = {
      ...rest,
      ...(version === undefined ? {} : { version }),
      scope,
      files: rest.files.map((file) => ({ ...file, path: resolve(file.path) })),
      entries: rest.entries.map((entry) => ({ ...entry, path: resolve(entry.path) })),
    };
    const outside = [...receipt.files, ...receipt.entries].find((item) => !this.#mayName(item.path, scope));
    return outside ? `it names ${outside.path}, which it cannot have installed` : receipt;
  }
  #mayName(file: string, scope: InstallScope): boolean {
    if (!path.isAbsolute(file)) return false;
    if (scope === "user") return true;
    const { agent } = this.#places;
    // The link is what counts for a file that is one: removing it removes the link alone.
    return isInside(realPath(agent), path.join(realPath(path.dirname(file)), path.basename(file)));
  }
  /** A receipt as its file has it. */
  textOf({ scope, ...rest }: Receipt): string {
    const shorten = (file: string): string =>
      scope === "user"
        ? file
        : path.relative(path.dirname(this.#places.agent), file).replaceAll(path.sep, "/");
    const stored = {
      ...rest,
      files: rest.files.map((file) => ({ ...file, path: shorten(file.path) })),
      entries: rest.entries.map((entry) => ({ ...entry, path: shorten(entry.path) })),
    };
    return `${JSON.stringify(stored, null, 2)}\n`;
  }
  /** @throws NacreError `io` */
  async write(receipt: Receipt): Promise<void> {
    await writeAtomic(this.fileOf(receipt.id, receipt.scope), this.textOf(receipt));
  }
  remove(id: string, scope: InstallScope): void {
    rmSync(this.fileOf(id, scope), { force: true });
  }
}
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") return [];
    throw error;
  }
}
