import { isObject } from "../../../shared/json.ts";
import type { Fingerprint, FingerprintFile } from "./digest.ts";

/** What was approved, kept so that a change can be shown beside it. */
export interface ApprovedContent {
  readonly declaration: unknown;
  readonly files: readonly Omit<FingerprintFile, "file">[];
}
export interface Approved {
  readonly digest: string;
  /** Absent where it was approved by a version that kept the digest alone. */
  readonly content?: ApprovedContent;
}
/** By the declaration's id. */
export type ApprovedMap = ReadonlyMap<string, Approved>;

export const contentOf = ({ declaration, files }: Fingerprint): ApprovedContent => ({
  declaration,
  files: files.map(({ file: _file, ...kept }) => kept),
});

/** The approvals file of a workspace (`v` 2; of 1, which held digests alone, the digests are read). */
export function writeApprovals(workspace: string, at: string, approved: ApprovedMap): string {
  const digests = [...approved].map(([id, { digest }]) => [id, digest] as const);
  const contents = [...approved].flatMap(([id, { content }]) => (content ? [[id, content] as const] : []));
  const body = {
    v: 2,
    workspace,
    at,
    approved: Object.fromEntries(digests),
    content: Object.fromEntries(contents),
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
/**
 * Undefined for what is no approvals file, or not the one of `workspace` where that is given. What of it is malformed is
 * left out: it waits then.
 */
export function parseApprovals(text: string, workspace?: string): ApprovedMap | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (!isObject(value) || !isObject(value["approved"])) return undefined;
  if (workspace !== undefined && value["workspace"] !== workspace) return undefined;
  const contents = isObject(value["content"]) ? value["content"] : {};
  return new Map(
    Object.entries(value["approved"]).flatMap(([id, digest]): [string, Approved][] => {
      if (typeof digest !== "string") return [];
      const content = parseContent(contents[id]);
      return [[id, content ? { digest, content } : { digest }]];
    }),
  );
}
function parseContent(value: unknown): ApprovedContent | undefined {
  if (!isObject(value) || !Array.isArray(value["files"])) return undefined;
  const files = value["files"].flatMap((entry: unknown): ApprovedContent["files"][number][] => {
    if (!isObject(entry)) return [];
    const { name, hash, size, part } = entry;
    if (typeof name !== "string" || typeof hash !== "string" || typeof size !== "number") return [];
    return [{ name, hash, size, ...(part === "package" ? { part } : {}) }];
  });
  return { declaration: value["declaration"], files };
}
