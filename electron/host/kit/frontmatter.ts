import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { JsonObject } from "../../../shared/json.ts";
import { createYamlReader, type YamlReader } from "./yaml-block.ts";

/** A diagnostic of a text whose path its reader knows. */
export type Finding = Omit<Diagnostic, "path">;

/** A Markdown file in its two parts. Line ends are LF in all of it, a byte-order mark is gone. */
export type Frontmatter =
  | { readonly kind: "none"; readonly body: string }
  | {
      readonly kind: "parsed";
      readonly data: JsonObject;
      /**
       * Plain values that YAML took for a number, a truth value or null, as they are written: `name: 3000` is
       * `{name: "3000"}`; one level deeper with a dot (`metadata.version`).
       */
      readonly written: Readonly<Record<string, string>>;
      /** 1-based line of each key of the first level. */
      readonly lines: Readonly<Record<string, number>>;
      readonly body: string;
      readonly findings: readonly Finding[];
    }
  | { readonly kind: "broken"; readonly finding: Finding; readonly body: string };

/** Splits and reads one file. Same text, same answer; never throws, evaluates nothing. */
export type ReadFrontmatter = (text: string) => Frontmatter;

/** The reader; its parser is loaded with the first call, so that a start that parses nothing never pays for it. */
export async function loadFrontmatter(): Promise<ReadFrontmatter> {
  const readYaml = await createYamlReader();
  return (text) => read(text, readYaml);
}

/** Blank lines and HTML comments that some tools write above the block. */
const before = /^(?:[ \t]*\n|[ \t]*<!--[\s\S]*?-->[ \t]*\n)+/;

function read(raw: string, readYaml: YamlReader): Frontmatter {
  const text = (raw.startsWith("\uFEFF") ? raw.slice(1) : raw).replaceAll(/\r\n?/g, "\n");
  const lead = before.exec(text)?.[0] ?? "";
  const lines = text.slice(lead.length).split("\n");
  const language = /^---(?!-)(.*)$/.exec(lines[0] ?? "")?.[1]?.trim();
  if (language === undefined) return { kind: "none", body: text };

  const first = lead.split("\n").length;
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith("---"));
  const body = end < 0 ? "" : lines.slice(end + 1).join("\n");
  const broken = (finding: Omit<Finding, "severity">): Frontmatter => ({
    kind: "broken",
    finding: { ...finding, severity: "error" },
    body,
  });
  if (language !== "" && !/^(?:ya?ml$|#)/i.test(language))
    return broken({
      code: "frontmatter-language",
      message: `front matter in "${language}" is not read: only YAML is, and nothing in it was run`,
      line: first,
      fix: "write the block as YAML between two lines of ---",
    });
  if (end < 0 || !/^---\s*$/.test(lines[end] ?? ""))
    return broken({
      code: "frontmatter-open",
      message: "the front matter is not closed",
      line: end < 0 ? first : first + end,
      fix: "end it with a line that holds --- alone",
    });

  const block = readYaml(lines.slice(1, end).join("\n"), first + 1);
  if (!block.ok) return broken(block.finding);
  const late: readonly Finding[] =
    lead === ""
      ? []
      : [
          {
            code: "frontmatter-not-first",
            severity: "warning",
            message:
              "the front matter should be the first thing in the file: other clients do not find it here",
            line: 1,
            fix: "move what stands above it below it",
          },
        ];
  return {
    kind: "parsed",
    data: block.data,
    written: block.written,
    lines: block.lines,
    body,
    findings: [...late, ...block.findings],
  };
}

/** A value meant as text: `coerced` where YAML read something else, then as it is written. Undefined for no text. */
export function textOf(
  front: { readonly data: JsonObject; readonly written: Readonly<Record<string, string>> },
  key: string,
): { readonly text: string; readonly coerced: boolean } | undefined {
  const value = front.data[key];
  if (typeof value === "string") return { text: value, coerced: false };
  const written = front.written[key];
  return written === undefined || written === "" ? undefined : { text: written, coerced: true };
}

/** Names in a list or in text with commas or blanks between them; undefined for anything else. */
export function namesOf(value: unknown): readonly string[] | undefined {
  const parts = typeof value === "string" ? splitNames(value) : value;
  if (!Array.isArray(parts)) return undefined;
  return parts.flatMap((part) => (typeof part === "string" && part.trim() !== "" ? [part.trim()] : []));
}
/** `Read, Bash(git diff:*)`: what stands in brackets stays whole. */
const splitNames = (text: string): readonly string[] => text.match(/(?:\([^)]*\)|[^\s,(])+/g) ?? [];
