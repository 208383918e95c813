import { NacreError } from "../../../shared/errors.ts";
import { parseMcpServers } from "../config/mcp-declaration.ts";
import { loadFrontmatter } from "../kit/frontmatter.ts";
import type { Placement } from "./plan.ts";
import type { EntryFile } from "./types.ts";

/** Caps of one install; what is larger is no skill. */
const maxFiles = 2_000;
const maxBytes = 64 * 1024 * 1024;
/** Names that Windows does not take, with or without an extension. */
const reserved = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

const refuse = (message: string): never => {
  throw new NacreError("invalid_input", `not installed: ${message}`);
};

/**
 * Checks what would be placed before anything is: paths that stay inside on every system, a skill that loads, a server
 * that its reader takes. @throws NacreError `invalid_input`
 */
export async function validate(name: string, { folder, entry }: Placement): Promise<void> {
  if (folder) {
    assertSafeFiles(folder.files);
    await assertSkill(name, folder.files);
  }
  if (entry) {
    const { diagnostics } = parseMcpServers(
      { mcpServers: { [name]: entry.value } },
      { owner: "user", scope: "user", file: entry.file, base: "" },
    );
    const error = diagnostics.find(({ severity }) => severity === "error");
    if (error) refuse(error.message);
  }
}

/** @throws NacreError `invalid_input` */
export function assertSafeFiles(files: readonly EntryFile[]): void {
  if (files.length === 0) refuse("it brings no file");
  if (files.length > maxFiles) refuse(`it brings ${files.length} files, more than ${maxFiles}`);
  const bytes = files.reduce((sum, file) => sum + Buffer.byteLength(file.text), 0);
  if (bytes > maxBytes) refuse(`it brings ${bytes} bytes, more than ${maxBytes}`);
  const seen = new Set<string>();
  for (const { path } of files) {
    const parts = path.split("/");
    const isBad = parts.some(
      (part) =>
        part === "" ||
        part === "." ||
        part === ".." ||
        /[\p{Cc}\\:*?"<>|]|[. ]$/u.test(part) ||
        reserved.test(part),
    );
    if (isBad) refuse(`its file "${path}" has a name that not every system takes, or leaves its folder`);
    const folded = path.normalize("NFC").toLowerCase();
    if (seen.has(folded)) refuse(`it brings two files named ${path}`);
    seen.add(folded);
  }
}

/** What is looked at here. */
const neededByEntries: ReadonlySet<string> = new Set(["name", "description"]);

async function assertSkill(name: string, files: readonly EntryFile[]): Promise<void> {
  const file = files.find(({ path }) => path === "SKILL.md");
  if (!file) return refuse(`${name} has no SKILL.md`);
  const read = (await loadFrontmatter())(file.text, neededByEntries);
  if (read.kind !== "parsed") return refuse(`the SKILL.md of ${name} has no frontmatter that can be read`);
  const { description } = read.data;
  if (read.data["name"] !== name) refuse(`its SKILL.md is named ${String(read.data["name"])}, not ${name}`);
  if (typeof description !== "string" || description.trim() === "") refuse(`its SKILL.md has no description`);
}
