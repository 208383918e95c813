import type { Document } from "yaml";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import type { Finding } from "./frontmatter.ts";

type YamlBlock =
  | {
      readonly ok: true;
      readonly data: JsonObject;
      readonly written: Readonly<Record<string, string>>;
      readonly lines: Readonly<Record<string, number>>;
      readonly findings: readonly Finding[];
    }
  | { readonly ok: false; readonly finding: Omit<Finding, "severity"> };

/** Reads the lines between the fences; `firstLine` is the 1-based line of the first of them. */
export type YamlReader = (block: string, firstLine: number) => YamlBlock;

interface Problem {
  readonly message: string;
  /** 0-based within the block. */
  readonly line: number;
}
type Parsed =
  | { readonly data: JsonObject; readonly written: Readonly<Record<string, string>> }
  | { readonly problem: Problem };

/** gray-matter over `yaml` (positions, YAML 1.2); its engines for anything that could be code refuse. */
export async function createYamlReader(): Promise<YamlReader> {
  const [{ default: matter }, yaml] = await Promise.all([import("gray-matter"), import("yaml")]);
  const refuse = (): never => {
    throw new Error("only YAML front matter is read");
  };

  const parse = (block: string): Parsed => {
    let written: Readonly<Record<string, string>> = {};
    let problem: Problem | undefined;
    const engine = (text: string): object => {
      // gray-matter hands the line end after the fence over too.
      const skipped = text.startsWith("\n") ? 1 : 0;
      const source = text.slice(skipped);
      const document = yaml.parseDocument(source, { logLevel: "silent", prettyErrors: false });
      const error = document.errors[0];
      if (error) {
        problem = { message: error.message, line: source.slice(0, error.pos[0]).split("\n").length - 1 };
        return {};
      }
      try {
        const value: unknown = document.toJS({ maxAliasCount: 100 });
        if (!isObject(value)) problem = { message: "it is no map of keys to values", line: 0 };
        written = writtenValues(document, yaml.isMap, yaml.isScalar);
        return isObject(value) ? value : {};
      } catch (thrown) {
        problem = { message: thrown instanceof Error ? thrown.message : String(thrown), line: 0 };
        return {};
      }
    };
    // An options object keeps gray-matter from its cache, which answers {} for a text that failed before.
    const { data } = matter(`---\n${block}\n---\n`, {
      language: "yaml",
      engines: {
        yaml: engine,
        json: { parse: refuse },
        javascript: { parse: refuse },
        js: { parse: refuse },
        coffee: { parse: refuse },
      },
    });
    return problem ? { problem } : { data, written };
  };
  const fails = (entry: string): boolean =>
    yaml.parseDocument(entry, { logLevel: "silent", prettyErrors: false }).errors.length > 0;

  return (block, firstLine) => {
    const lines = keyLines(block, firstLine);
    const first = parse(block);
    if (!("problem" in first)) return { ok: true, ...first, lines, findings: [] };
    const repair = quoteColons(block, fails);
    const second = repair.keys.length > 0 ? parse(repair.block) : first;
    if ("problem" in second)
      return {
        ok: false,
        finding: {
          code: "frontmatter-yaml",
          message: `the front matter is no YAML: ${first.problem.message}`,
          line: firstLine + first.problem.line,
          fix: "put the value in quotes, or correct it",
        },
      };
    return {
      ok: true,
      ...second,
      lines,
      findings: repair.keys.map((key) => ({
        code: "frontmatter-colon",
        severity: "warning",
        message: `the value of ${key} holds a colon and is not quoted; it was read as if it were`,
        ...(lines[key] === undefined ? {} : { line: lines[key] }),
        fix: `put the value of ${key} in quotes`,
      })),
    };
  };
}

const keyAtStart = /^["']?([A-Za-z_][\w.-]*)["']?[ \t]*:(?=\s|$)/;

function keyLines(block: string, firstLine: number): Readonly<Record<string, number>> {
  const lines: Record<string, number> = {};
  for (const [index, line] of block.split("\n").entries()) {
    const key = keyAtStart.exec(line)?.[1];
    if (key !== undefined && !Object.hasOwn(lines, key)) lines[key] = firstLine + index;
  }
  return lines;
}

/** Quotes each value of the first level that holds a colon and does not parse by itself (spec 3, Lenient loading). */
function quoteColons(
  block: string,
  fails: (entry: string) => boolean,
): { readonly block: string; readonly keys: readonly string[] } {
  const keys: string[] = [];
  const entries = block.split(/\n(?=\S)/);
  const repaired = entries.map((entry) => {
    const match = keyAtStart.exec(entry);
    const value = match ? entry.slice(match[0].length).trim() : "";
    const lines = value.split("\n").map((line) => line.trim());
    // A continued line that is a pair itself was meant as one: nobody knows which way to read it.
    const pairBelow = lines.slice(1).some((line) => keyAtStart.test(line));
    if (!match?.[1] || !/:(?:\s|$)/.test(value) || pairBelow || /^[|>]/.test(value) || !fails(entry))
      return entry;
    keys.push(match[1]);
    const folded = lines.filter((line) => line !== "").join(" ");
    return `${match[0]} '${folded.replaceAll("'", "''")}'${"\n".repeat(entry.split("\n").length - 1)}`;
  });
  return { block: repaired.join("\n"), keys };
}

/** See `Frontmatter.written`. */
function writtenValues(
  document: Document,
  isMap: typeof import("yaml").isMap,
  isScalar: typeof import("yaml").isScalar,
): Readonly<Record<string, string>> {
  const written: Record<string, string> = {};
  const visit = (map: unknown, prefix: string): void => {
    if (!isMap(map)) return;
    for (const { key, value } of map.items) {
      if (!isScalar(key)) continue;
      const name = prefix + String(key.value);
      if (isScalar(value) && typeof value.value !== "string" && value.source !== undefined)
        written[name] = value.source;
      else if (prefix === "") visit(value, `${name}.`);
    }
  };
  visit(document.contents, "");
  return written;
}
