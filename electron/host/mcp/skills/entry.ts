import { isSkillName } from "../../../../shared/names.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";

// Skills over MCP (SEP-2640): what `skills/list` and `skills/get` say of one. Nothing of it is believed.

/** One file, as its server says that it is. */
export interface ListedFile {
  readonly uri: string;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}
export interface ServerSkillEntry {
  /** Of its SKILL.md, as the URL parser spells it. */
  readonly uri: string;
  /** Its folder, without a slash at the end. */
  readonly root: string;
  readonly name: string;
  readonly description: string;
  readonly frontmatter: JsonObject;
  /** By path in the folder, `SKILL.md` among them; `dynamic`: they change, and no digest says what they are. */
  readonly files: ReadonlyMap<string, ListedFile> | "dynamic";
}

/** Skills up to these have to be accepted (SEP-2640, Limits); what is over them is not. */
const mostFiles = 512;
const mostBytes = 16 * 1024 * 1024;
const longestName = 64;
const longestDescription = 1024;
const manifest = "SKILL.md";

const canonical = (uri: unknown): string | undefined =>
  typeof uri === "string" && uri.length <= 4_096 && URL.canParse(uri) ? new URL(uri).href : undefined;

/** The path of a file in a skill's folder; undefined where it leads out, or to nothing that is one file. */
function pathInSkill(root: string, uri: string): string | undefined {
  if (!uri.startsWith(`${root}/`) || /[?#]/.test(uri)) return undefined;
  const parts = uri
    .slice(root.length + 1)
    .split("/")
    .map((part) => {
      try {
        return decodeURIComponent(part);
      } catch {
        // A broken escape stands for itself.
        return part;
      }
    });
  const isOne = (part: string): boolean =>
    part !== "" && part !== "." && part !== ".." && !/[/\\\0]/.test(part);
  return parts.every(isOne) ? parts.join("/") : undefined;
}

function readFiles(raw: unknown, root: string): ReadonlyMap<string, ListedFile> | string {
  if (!Array.isArray(raw)) return "resources is neither a list nor dynamic";
  if (raw.length > mostFiles) return `it has ${raw.length} files; at most ${mostFiles} are taken`;
  const files = new Map<string, ListedFile>();
  let bytes = 0;
  for (const one of raw as readonly unknown[]) {
    const { uri: given, digest, size } = isObject(one) ? one : {};
    const uri = canonical(given);
    const path = uri === undefined ? undefined : pathInSkill(root, uri);
    if (uri === undefined || path === undefined)
      return `the file ${JSON.stringify(given)?.slice(0, 200)} does not lie in the skill's folder`;
    if (typeof digest !== "string" || !/^sha256:[\da-f]{64}$/.test(digest))
      return `${path} has no SHA-256 digest`;
    if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0) return `${path} has no size`;
    if (files.has(path)) return `${path} is listed twice`;
    bytes += size;
    files.set(path, { uri: given as string, digest, size });
  }
  if (bytes > mostBytes) return `its files have ${bytes} bytes; at most ${mostBytes} are taken`;
  return files.has(manifest) ? files : `its files do not hold ${manifest}`;
}

/** Reads one entry; a text says why it is none. */
export function readSkillEntry(raw: unknown): ServerSkillEntry | string {
  if (!isObject(raw)) return "the entry is no object";
  const uri = canonical(raw["uri"]);
  const root = uri?.endsWith(`/${manifest}`) ? uri.slice(0, -manifest.length - 1) : undefined;
  if (uri === undefined || root === undefined || root.endsWith("/"))
    return `${JSON.stringify(raw["uri"])?.slice(0, 200)} is no address of a ${manifest} in a folder`;
  const { frontmatter, resources } = raw;
  if (!isObject(frontmatter)) return "it has no front matter";
  const { name, description } = frontmatter;
  if (typeof name !== "string" || name.length > longestName || !isSkillName(name))
    return `${JSON.stringify(name)?.slice(0, 200)} is no skill name`;
  if (root.slice(root.lastIndexOf("/") + 1) !== name) return `its folder is not named ${name}`;
  if (
    typeof description !== "string" ||
    description.trim() === "" ||
    Array.from(description).length > longestDescription
  )
    return `its description has to have 1 to ${longestDescription} characters`;
  const files = resources === "dynamic" ? resources : readFiles(resources, root);
  if (typeof files === "string" && files !== "dynamic") return files;
  return { uri, root, name, description, frontmatter, files };
}
