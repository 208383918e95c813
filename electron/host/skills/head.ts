import { isObject, type JsonObject } from "../../../shared/json.ts";
import { switchOf } from "../../../shared/switch-of.ts";
import { namesOf, textOf, type Finding, type Frontmatter } from "../kit/frontmatter.ts";

/**
 * What a skill's file says of itself, kept in the index: no setting and no rule of its root has a part in it.
 * `findings` are what is wrong whatever the root.
 */
export type SkillHead =
  | { readonly kind: "broken"; readonly findings: readonly Finding[] }
  /** No front matter: the first line of text that is no heading; null where there is none or it may not be shown. */
  | { readonly kind: "inferred"; readonly firstText: string | null; readonly findings: readonly Finding[] }
  | SkillFields;
export interface SkillFields {
  readonly kind: "fields";
  readonly name?: string;
  readonly description?: string;
  readonly whenToUse?: string;
  readonly license?: string;
  readonly compatibility?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** Kairox's `tools`: what has to be there. As written. */
  readonly tools?: readonly string[];
  /** `allowed-tools`: a request, never a grant. As written. */
  readonly allowedTools?: readonly string[];
  readonly keywords?: readonly string[];
  readonly model?: string;
  readonly arguments?: unknown;
  readonly hiddenFromModel?: true;
  /** `user-invocable: false`. */
  readonly modelOnly?: true;
  /** 1-based lines of keys that later findings name; in a list, so that a thousand heads stay small. */
  readonly lines: readonly [name: number, description: number, compatibility: number];
  readonly findings: readonly Finding[];
}
export const isSkillHead = (value: unknown): value is SkillHead =>
  isObject(value) && typeof value["kind"] === "string" && Array.isArray(value["findings"]);

/**
 * @param mayInfer False where the file is a link that leaves its folder: then the first line of a foreign file
 * would reach the model as the description.
 */
export function readHead(front: Frontmatter, mayInfer: boolean): SkillHead {
  const hidden = hiddenText(front.body, front.kind === "parsed" ? JSON.stringify(front.data) : "");
  if (front.kind === "broken") return { kind: "broken", findings: [front.finding, ...hidden] };
  if (front.kind === "none")
    return { kind: "inferred", firstText: mayInfer ? firstText(front.body) : null, findings: hidden };
  return fields(front, hidden);
}

type Parsed = Extract<Frontmatter, { kind: "parsed" }>;

function fields(front: Parsed, hidden: readonly Finding[]): SkillFields {
  const findings: Finding[] = [...front.findings, ...hidden];
  const { data, lines } = front;
  const warn = (key: string, code: string, message: string, fix?: string): void => {
    const line = lines[key];
    findings.push({
      code,
      severity: "warning",
      message,
      ...(line === undefined ? {} : { line }),
      ...(fix === undefined ? {} : { fix }),
    });
  };
  const text = (key: string): string | undefined => {
    const value = textOf(front, key);
    if (value === undefined) {
      if (data[key] !== undefined && data[key] !== null)
        warn(key, "skill-field-type", `${key} is no text and was left out`, `write ${key} as text`);
      return undefined;
    }
    if (value.coerced)
      warn(
        key,
        "skill-field-type",
        `${key} is ${Number.isNaN(Number(value.text)) ? "no text" : "a number"} in YAML; it was taken as written: ${value.text}`,
        `put ${key} in quotes`,
      );
    return value.text.trim() === "" ? undefined : value.text.trim();
  };
  const toggle = (keys: readonly string[], stricter: boolean, absent: boolean): boolean => {
    const key = keys.find((name) => data[name] !== undefined);
    if (key === undefined) return absent;
    const value = switchOf(data[key]);
    if (value === undefined)
      warn(
        key,
        "skill-switch",
        `${key} is neither true nor false; it counts as ${String(stricter)}, the stricter one`,
        `write ${key}: true or ${key}: false`,
      );
    return value ?? stricter;
  };
  const kairox = isObject(data["kairox"]) ? data["kairox"] : {};
  const nested = (group: string, key: string): unknown => {
    const value = kairox[group];
    return isObject(value) ? value[key] : undefined;
  };
  const tools = namesOf(data["tools"] ?? nested("permissions", "tools")) ?? [];
  const allowedTools = namesOf(data["allowed-tools"]) ?? [];
  const keywords = namesOf(data["keywords"] ?? nested("activation", "keywords")) ?? [];
  const metadata = metadataOf(front, warn);
  return {
    kind: "fields",
    ...given("name", text("name")),
    ...given("description", text("description")),
    ...given("whenToUse", text("when-to-use") ?? text("whenToUse")),
    ...given("license", text("license")),
    ...given("compatibility", text("compatibility")),
    ...given("model", text("model")),
    ...(metadata ? { metadata } : {}),
    ...(tools.length > 0 ? { tools: [...new Set(tools)] } : {}),
    ...(allowedTools.length > 0 ? { allowedTools: [...new Set(allowedTools)] } : {}),
    ...(keywords.length > 0 ? { keywords } : {}),
    ...(data["arguments"] === undefined || data["arguments"] === null
      ? {}
      : { arguments: data["arguments"] }),
    ...(toggle(["disable-model-invocation", "disableModelInvocation"], true, false)
      ? { hiddenFromModel: true }
      : {}),
    ...(toggle(["user-invocable"], false, true) ? {} : { modelOnly: true }),
    lines: [lines["name"] ?? 0, lines["description"] ?? 0, lines["compatibility"] ?? 0],
    findings,
  };
}
const given = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  value === undefined ? {} : ({ [key]: value } as { [P in K]?: string });
/** String to string (Agent Skills specification); what is neither text nor a plain value is left out. */
function metadataOf(
  front: Parsed,
  warn: (key: string, code: string, message: string, fix?: string) => void,
): Readonly<Record<string, string>> | undefined {
  const value = front.data["metadata"];
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) {
    warn("metadata", "skill-field-type", "metadata is no map of text to text and was left out");
    return undefined;
  }
  const result: Record<string, string> = {};
  for (const [key, entry] of Object.entries(value as JsonObject)) {
    const text = typeof entry === "string" ? entry : front.written[`metadata.${key}`];
    if (text === undefined)
      warn("metadata", "skill-field-type", `metadata.${key} is no text and was left out`);
    else result[key] = text;
  }
  return result;
}

/** The first line that is neither empty nor a heading, a rule or a comment (Hermit). */
function firstText(body: string): string | null {
  const text = body.replaceAll(/<!--[\s\S]*?-->/g, "");
  const line = text
    .split("\n")
    .find((candidate) => /^\s*(?!#{1,6}(?:\s|$)|[-=*_]{3,}\s*$)\S/.test(candidate));
  return line?.trim() ?? null;
}

/** Tag characters, direction overrides and zero-width characters, which people do not see and models read. */
const invisible = /[\u{E0000}-\u{E007F}\u202A-\u202E\u2066-\u2069\u200B\u2060-\u2064\u00AD]/u;
function hiddenText(body: string, data: string): readonly Finding[] {
  if (!invisible.test(body) && !invisible.test(data)) return [];
  return [
    {
      code: "skill-hidden-text",
      severity: "warning",
      message: "the file holds invisible characters, which the model reads and people do not see",
      fix: "look at the file in an editor that shows them, and take them out",
    },
  ];
}
