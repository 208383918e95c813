import { createHash } from "node:crypto";
import { NacreError } from "../../../../shared/errors.ts";
import { canonicalJson, isObject } from "../../../../shared/json.ts";
import { loadFrontmatter } from "../../kit/frontmatter.ts";
import type { ListedFile, ServerSkillEntry } from "./entry.ts";

const differs = (what: string): NacreError => new NacreError("denied", `it is refused: ${what}`);

/** The bytes of `uri` in the answer of `resources/read`. @throws NacreError `denied` where it holds none */
export function contentBytes(result: unknown, uri: string): Buffer {
  const contents: unknown = isObject(result) ? result["contents"] : undefined;
  const same = (one: unknown): boolean =>
    typeof one === "string" && URL.canParse(one) && new URL(one).href === new URL(uri).href;
  const content = Array.isArray(contents)
    ? contents.filter(isObject).find((one) => same(one["uri"]))
    : undefined;
  const { text, blob } = content ?? {};
  if (typeof text === "string") return Buffer.from(text);
  if (typeof blob === "string") return Buffer.from(blob, "base64");
  throw differs(`the server's answer holds no content of ${uri}`);
}

/** @throws NacreError `denied` where the bytes are not those that the entry tells of */
export function checkBytes(bytes: Buffer, { size, digest }: ListedFile, path: string): void {
  if (bytes.length !== size)
    throw differs(`${path} has ${bytes.length} bytes, and its server told of ${size}`);
  const found = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
  if (found !== digest) throw differs(`${path} has the digest ${found}, and its server told of ${digest}`);
}

/** UTF-8 that says the same in bytes. @throws NacreError `denied` for other bytes */
export function textOfBytes(bytes: Buffer, path: string): string {
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw differs(`${path} is no UTF-8 text`);
  return text;
}

/**
 * The text of a SKILL.md without its front matter, which has to say what the entry says: what was offered is what is loaded.
 * @throws NacreError `denied`, with the keys that differ
 */
export async function checkedBody(text: string, { frontmatter }: ServerSkillEntry): Promise<string> {
  const read = await loadFrontmatter();
  const front = read(text, new Set(["name", "description"]));
  if (front.kind === "none") throw differs("SKILL.md has no front matter");
  if (front.kind === "broken") throw differs(`SKILL.md: ${front.finding.message}`);
  if (front.repairs.length > 0) throw differs("the front matter of SKILL.md is no YAML");
  const { data, written, body } = front;
  const isSame = (key: string): boolean =>
    canonicalJson(data[key] ?? null) === canonicalJson(frontmatter[key] ?? null) ||
    (typeof frontmatter[key] === "string" && written[key] === frontmatter[key]);
  const wrong = [...new Set([...Object.keys(data), ...Object.keys(frontmatter)])].filter(
    (key) => !isSame(key),
  );
  if (wrong.length > 0)
    throw differs(
      `the front matter of SKILL.md says something else than its server told: ${wrong.sort().join(", ")}`,
    );
  return body.replaceAll("\0", "\uFFFD");
}
