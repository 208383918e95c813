import * as z from "zod/mini";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { externalLink } from "../../../shared/link.ts";
import type { MarketTrust } from "../../../shared/market.ts";
import type { CatalogEntry, InstallForm } from "./types.ts";

const text = z.string();
const line = z.string().check(z.minLength(1));
const texts = z._default(z.array(text), []);
const map = z._default(z.record(text, text), {});
const installForm = z.union([
  z.object({ transport: z.literal("stdio"), command: line, args: texts, env: map, cwd: z.optional(text) }),
  z.object({ transport: z.enum(["sse", "streamable_http"]), url: line, headers: map }),
  z.object({ path: line }),
]);
/** One entry of a catalog file (spec 9). Keys that are not known are ignored. */
const entrySchema = z.object({
  id: z.string().check(z.regex(/^[A-Za-z0-9][\w.@:/-]{0,199}$/)),
  kind: z._default(z.enum(["mcp", "skill", "plugin"]), "mcp"),
  display_name: line,
  summary: z._default(text, ""),
  description: z._default(text, ""),
  categories: texts,
  tags: texts,
  author: z.optional(text),
  homepage: z.optional(text),
  version: z.optional(text),
  trust: z._default(z.enum(["unverified", "community", "verified"]), "unverified"),
  install: installForm,
  requirements: z._default(
    z.array(z.object({ kind: line, min_version: z.optional(text), install_hint: z.optional(text) })),
    [],
  ),
  default_env: z._default(
    z.array(
      z.object({
        key: z.string().check(z.regex(/^[A-Za-z_]\w*$/)),
        label: z.optional(text),
        description: z.optional(text),
        required: z._default(z.boolean(), false),
        secret: z._default(z.boolean(), false),
        default: z.optional(text),
      }),
    ),
    [],
  ),
});
type RawEntry = z.infer<typeof entrySchema>;
const fileSchema = z.object({ schema_version: z.literal("1"), entries: z.array(z.unknown()) });

export interface CatalogSource {
  readonly id: string;
  /** Where the file stands, for diagnostics. */
  readonly file: string;
  /** No entry is trusted more than its source. */
  readonly trust: MarketTrust;
}
const ranks: readonly MarketTrust[] = ["unverified", "community", "verified"];
const namePatterns = {
  mcp: /^[A-Za-z0-9][\w.-]{0,63}$/,
  skill: /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/,
  plugin: /^(?=.{1,64}$)[a-z0-9]+(-[a-z0-9]+)*$/,
} as const;

/** Reads a catalog. An entry that is wrong is a diagnostic and takes no other with it; of one id the first counts. */
export function parseCatalog(
  raw: unknown,
  source: CatalogSource,
): { entries: CatalogEntry[]; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const report = (message: string): void =>
    void diagnostics.push({ code: "catalog-invalid", severity: "error", message, path: source.file });
  const file = z.safeParse(fileSchema, raw);
  if (!file.success) {
    report(`${source.file} is no catalog of schema version 1: ${z.prettifyError(file.error)}`);
    return { entries: [], diagnostics };
  }
  const entries = new Map<string, CatalogEntry>();
  file.data.entries.forEach((item, index) => {
    const parsed = z.safeParse(entrySchema, item);
    const problem = parsed.success ? faultOf(parsed.data) : z.prettifyError(parsed.error);
    if (!parsed.success || problem !== undefined) return report(`entry ${index}: ${problem}`);
    if (entries.has(parsed.data.id)) return report(`entry ${index}: there is a second ${parsed.data.id}`);
    entries.set(parsed.data.id, toEntry(parsed.data, source));
  });
  return { entries: [...entries.values()], diagnostics };
}

/** What the schema alone cannot tell. */
function faultOf(entry: RawEntry): string | undefined {
  const isFolder = "path" in entry.install;
  if (isFolder !== (entry.kind !== "mcp")) return `a ${entry.kind} cannot be installed in this form`;
  if (!namePatterns[entry.kind].test(nameOf(entry.id)))
    return `"${nameOf(entry.id)}" is no name for a ${entry.kind}`;
  if ("path" in entry.install && /^([/\\]|[A-Za-z]:)|(^|[/\\])\.\.([/\\]|$)/.test(entry.install.path))
    return `the path ${entry.install.path} leaves the catalog's folder`;
  if ("url" in entry.install && !URL.canParse(entry.install.url.replaceAll(/\$\{[^}]*\}/g, "x")))
    return `${entry.install.url} is no URL`;
  return undefined;
}
/** `io.github.someone/server` → `server` */
const nameOf = (id: string): string => id.split("/").at(-1) ?? id;

function toEntry(raw: RawEntry, source: CatalogSource): CatalogEntry {
  const trust = ranks[Math.min(ranks.indexOf(raw.trust), ranks.indexOf(source.trust))] ?? "unverified";
  const homepage = raw.homepage === undefined ? undefined : externalLink(raw.homepage);
  return {
    id: raw.id,
    kind: raw.kind,
    name: nameOf(raw.id),
    title: raw.display_name,
    summary: raw.summary,
    description: raw.description,
    categories: raw.categories,
    tags: raw.tags,
    ...(raw.author === undefined ? {} : { author: raw.author }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(raw.version === undefined ? {} : { version: raw.version }),
    trust,
    source: source.id,
    install: toForm(raw.install),
    needs: raw.requirements.map(({ kind, min_version: minVersion, install_hint: hint }) => ({
      kind,
      ...(minVersion === undefined ? {} : { minVersion }),
      ...(hint === undefined ? {} : { hint }),
    })),
    variables: raw.default_env.map(({ key, required, secret, label, description, default: fallback }) => {
      const words = [label, description].filter(Boolean).join(": ");
      return {
        key,
        required,
        secret,
        ...(words === "" ? {} : { description: words }),
        ...(fallback === undefined ? {} : { default: fallback }),
      };
    }),
  };
}
function toForm(install: RawEntry["install"]): InstallForm {
  if ("path" in install) return { kind: "folder", path: install.path };
  if (install.transport !== "stdio")
    return { kind: "remote", transport: install.transport, url: install.url, headers: install.headers };
  const { command, args, env, cwd } = install;
  return { kind: "stdio", command, args, env, ...(cwd === undefined ? {} : { cwd }) };
}
