import type { JsonObject } from "../../../shared/json.ts";
import type { Finding } from "./finding.ts";
import { plainText, splitText, type FrontBlock } from "./frontmatter-split.ts";
import { loadYamlReader, type ReadYaml, type YamlProblem } from "./yaml-block.ts";
import { dedented, lineOf as lineInBlock } from "./yaml-entries.ts";
import { noStructuredKeys, repairBlock, type EntryRepair, type StructuredKeys } from "./yaml-repair.ts";

/** A Markdown file in its two parts. Line ends are LF in all of it, a byte-order mark is gone. */
export type Frontmatter =
  | { readonly kind: "none"; readonly body: string }
  | {
      readonly kind: "parsed";
      readonly data: JsonObject;
      /**
       * Plain values that some YAML reads as a number, a truth value, a date or null, as they are written:
       * `name: 3000` is `{name: "3000"}`; deeper ones with dots (`metadata.version`, `keywords.0`), up to 1,024 characters.
       */
      readonly written: Readonly<Record<string, string>>;
      /** 1-based line of a key of the first level; undefined where it stands on none of its own. */
      readonly lineOf: (key: string) => number | undefined;
      /** 1-based line of the opening fence. */
      readonly fence: number;
      readonly body: string;
      readonly findings: readonly Finding[];
      /** Blanks stand before the fences. */
      readonly indented: boolean;
      /** Between the fences; lines that are all indented without that. */
      readonly block: string;
      /** Of entries of `block` that are no YAML as they stand, in their order. */
      readonly repairs: readonly EntryRepair[];
    }
  | { readonly kind: "broken"; readonly finding: Finding; readonly body: string };

/**
 * Splits and reads one file. Same text, same answer; never throws, evaluates nothing.
 * @param needed Keys whose value decides what the file is or does; a fault in any other is a warning.
 * @param structured What they cannot be read as is never taken as text.
 */
export type ReadFrontmatter = (
  text: string,
  needed: ReadonlySet<string>,
  structured?: StructuredKeys,
) => Frontmatter;

/** Loads the parser. */
export async function createReader(): Promise<ReadFrontmatter> {
  const readYaml = await loadYamlReader();
  return (text, needed, structured = noStructuredKeys) => read(text, needed, structured, readYaml);
}

/** Bytes of UTF-8 between the fences. */
const largestBlock = 64 * 1024;

function read(
  raw: string,
  needed: ReadonlySet<string>,
  structured: StructuredKeys,
  readYaml: ReadYaml,
): Frontmatter {
  const text = plainText(raw);
  const split = splitText(text);
  const nul = split.kind === "broken" ? -1 : text.indexOf("\0");
  if (nul >= 0 && (split.kind === "none" || nul < text.length - split.body.length)) {
    const line = text.slice(0, nul).split("\n").length;
    const what = split.kind === "none" ? "the file has no front matter and" : "the front matter";
    return broken(split.body, "text-nul", `${what} holds a NUL byte: it is no text`, line, "remove the byte");
  }
  if (split.kind !== "block") return split;
  const { body, fence, indented } = split;
  if (split.block.length > largestBlock / 3 && Buffer.byteLength(split.block) > largestBlock)
    return broken(
      body,
      "frontmatter-large",
      `the front matter is larger than ${largestBlock / 1024} KB`,
      fence,
    );

  const block = dedented(split.block);
  const first = readYaml(block);
  const lineOf = (key: string): number | undefined => {
    const line = lineInBlock(block, key);
    return line === undefined ? undefined : fence + 1 + line;
  };
  const place = placeFindings(split);
  if (first.ok)
    return {
      kind: "parsed",
      data: first.data,
      written: first.written,
      lineOf,
      fence,
      body,
      findings: place,
      indented,
      block,
      repairs: noRepairs,
    };

  const repaired: ReturnType<typeof repairBlock> = first.problem.isLimit
    ? { problem: undefined }
    : repairBlock(block, needed, readYaml, structured);
  const second = "block" in repaired ? readYaml(repaired.block) : first;
  if (!("block" in repaired) || !second.ok) {
    const problem = ("problem" in repaired ? repaired.problem : undefined) ?? first.problem;
    const open = openQuote(problem, block);
    if (open) {
      const where = `the ${open.quote} that opens on line ${fence + 1 + open.line}`;
      return broken(
        body,
        "frontmatter-yaml",
        `the front matter is no YAML: ${where} is never closed`,
        fence + 1 + open.line,
        `close ${where}`,
      );
    }
    return broken(
      body,
      "frontmatter-yaml",
      `the front matter is no YAML: ${problem.message}${problem.twin === undefined ? "" : ` ${fence + 1 + problem.twin}`}`,
      fence + 1 + problem.line,
      "put the value in quotes, or correct it",
    );
  }
  const findings = repaired.repairs.map(({ line, finding }: EntryRepair) => ({
    ...finding,
    line: fence + 1 + line,
  }));
  return {
    kind: "parsed",
    data: second.data,
    written: second.written,
    lineOf,
    fence,
    body,
    findings: [...place, ...findings],
    indented,
    block,
    repairs: repaired.repairs,
  };
}

/** A quote that js-yaml found no end of: it opens on the line of the problem, or below its key. */
function openQuote(
  { message, line }: YamlProblem,
  block: string,
): { readonly quote: string; readonly line: number } | undefined {
  const kind = /within a (double|single) quoted scalar$/.exec(message)?.[1];
  if (kind === undefined) return undefined;
  const quote = kind === "double" ? '"' : "'";
  const lines = block.split("\n");
  const opens = (text: string): boolean => new RegExp(`(?:^|[:,[{-])[ \\t]*${quote}`).test(text);
  const at = lines.findIndex((text, index) => index >= line && opens(text));
  return at < 0 ? undefined : { quote, line: at };
}

function broken(body: string, code: string, message: string, line: number, fix?: string): Frontmatter {
  return {
    kind: "broken",
    finding: { code, severity: "error", message, line, ...(fix === undefined ? {} : { fix }) },
    body,
  };
}

const noRepairs: readonly EntryRepair[] = [];
const none: readonly Finding[] = [];
/** Where the block stands is fine here and hides it from other clients. */
function placeFindings({ lead, indented, fence }: FrontBlock): readonly Finding[] {
  if (lead === "" && !indented) return none;
  const found = lead.trim() === "" ? "a blank line" : "a comment";
  return [
    ...(lead === ""
      ? []
      : [
          {
            code: "frontmatter-not-first",
            severity: "warning" as const,
            message: `the front matter should be the first thing in the file (found ${found} on line 1): other clients do not find it here`,
            line: 1,
            fix: "move what stands above it below it",
          },
        ]),
    ...(indented
      ? [
          {
            code: "frontmatter-indented",
            severity: "warning" as const,
            message: "blanks stand before the lines of ---: other clients do not find the front matter here",
            line: fence,
            fix: "begin both lines with ---",
          },
        ]
      : []),
  ];
}
