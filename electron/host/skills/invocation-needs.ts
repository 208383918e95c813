import { parsePattern, turnRule } from "../config/permission.ts";
import type { CommandNote, TurnChanges } from "../tools/commands.ts";
import { toolRequest } from "./allowed-tools.ts";
import type { SkillNeeds } from "./types.ts";

/** Who uses a skill. */
export interface SkillAsking {
  readonly sessionId: string | null;
  readonly signal: AbortSignal;
}
/** What a skill asks to use without being asked for each time. */
export interface GrantRequest {
  readonly skill: string;
  /** Empty for one in memory. */
  readonly path: string;
  /** `tool` or `tool:pattern`. */
  readonly patterns: readonly string[];
  /** Of the skill as it was read. */
  readonly digest: string;
  /** Whether it may be granted anything, as it is now: an answer from before is worth nothing after. */
  readonly isTrusted: () => boolean;
}
/** What answers a skill's needs. */
export interface NeedsPorts {
  /** Nacre's name of a tool that is here, by any of its names; undefined for none. `mcp__x__*`: one that fits is enough. */
  toolName(written: string): string | undefined;
  /** A tool that only ever reads. */
  onlyReads(tool: string): boolean;
  /** What `tool` or `tool:pattern` says is allowed for all of this start (`--allow`). */
  isAllowed(pattern: string): boolean;
  /** The whole id of a model, or why it cannot be used. */
  model(name: string): Promise<{ readonly id: string } | { readonly reason: string }>;
  /** Asks the person, once. Undefined: they allowed it; else why it is not allowed, as the rest of a sentence. */
  grant(request: GrantRequest, asking: SkillAsking): Promise<string | undefined>;
}
export interface NeedySkill {
  readonly name: string;
  readonly path: string;
  readonly needs: SkillNeeds;
  readonly digest: string;
  /** Whether its folder is, as of now, the user's own, or trusted, or of an approved plugin. */
  readonly isTrusted: () => boolean;
}
export interface SettledNeeds extends TurnChanges {
  readonly notes: readonly CommandNote[];
  /** What the model has to know of them. */
  readonly forModel: readonly string[];
  /** A person was asked. */
  readonly asked: boolean;
}

/** What a skill needs, as far as it can be had (spec 3): its tools, its model, what it asks to be allowed. */
export async function settleNeeds(
  skill: NeedySkill,
  ports: NeedsPorts,
  asking: SkillAsking,
): Promise<SettledNeeds> {
  const tools = missingTools(skill, ports);
  const model = await modelOf(skill, ports);
  const grant = await grantOf(skill, ports, asking);
  return {
    notes: [...tools.notes, ...model.notes, ...grant.notes],
    forModel: tools.forModel,
    asked: grant.asked,
    ...(model.id === undefined ? {} : { model: model.id }),
    ...(grant.allow.length > 0 ? { allow: grant.allow } : {}),
  };
}
const warning = (text: string): CommandNote => ({ level: "warning", text });

function missingTools(
  { name, needs }: NeedySkill,
  ports: NeedsPorts,
): Pick<SettledNeeds, "notes" | "forModel"> {
  const missing = (needs.tools ?? []).filter((tool) => ports.toolName(tool) === undefined);
  if (missing.length === 0) return { notes: [], forModel: [] };
  const list = missing.join(", ");
  return {
    notes: [
      warning(
        `${name} needs ${missing.length === 1 ? "a tool that is" : "tools that are"} not here: ${list}. Switch on what brings ${missing.length === 1 ? "it" : "them"}, or go on without`,
      ),
    ],
    forModel: [`The skill ${name} counts on tools that you do not have: ${list}. Say so where that matters.`],
  };
}
async function modelOf(
  { name, needs }: NeedySkill,
  ports: NeedsPorts,
): Promise<{ readonly id?: string; readonly notes: readonly CommandNote[] }> {
  // `inherit`, as Claude Code writes it: whatever answers anyway.
  if (needs.model === undefined || needs.model === "inherit") return { notes: [] };
  const found = await ports.model(needs.model);
  if ("id" in found) return { id: found.id, notes: [] };
  const text = `${name} wants the model ${needs.model}, which cannot be used: ${found.reason}. The conversation's own answers`;
  return { notes: [warning(text)] };
}
async function grantOf(
  { name, path, needs, digest, isTrusted }: NeedySkill,
  ports: NeedsPorts,
  asking: SkillAsking,
): Promise<Pick<SettledNeeds, "notes" | "asked"> & { readonly allow: NonNullable<TurnChanges["allow"]> }> {
  const { patterns: wanted, left } = toolRequest(
    needs.allowedTools ?? [],
    (tool) => ports.toolName(tool) !== undefined,
  );
  const patterns = wanted.filter((pattern) => !ports.isAllowed(pattern));
  const none = { allow: [], asked: false };
  const notTaken =
    left.length === 0
      ? ""
      : `. Not taken: ${left.map(({ written, reason }) => `${written} (${reason})`).join(", ")}`;
  // What only reads asks for folders outside and secrets alone, and those are asked about by themselves.
  if (patterns.every((pattern) => ports.onlyReads(parsePattern(pattern).tool)))
    return {
      ...none,
      notes: left.length === 0 ? [] : [{ level: "info", text: `${name} asks for tools${notTaken}` }],
    };
  const asks = `${name} asks to use ${patterns.join(", ")} without being asked each time`;
  const notGranted = (asked: boolean, why: string) => ({
    ...none,
    asked,
    notes: [{ level: "info" as const, text: `${asks}: not granted, ${why}${notTaken}` }],
  });
  const untrusted = "its folder is not trusted (/plugins trust)";
  if (!isTrusted()) return notGranted(false, untrusted);
  const refused = await ports.grant({ skill: name, path, patterns, digest, isTrusted }, asking);
  if (refused !== undefined) return notGranted(true, refused);
  if (!isTrusted()) return notGranted(true, untrusted);
  return {
    asked: true,
    allow: patterns.map((pattern) => turnRule(pattern, name)),
    notes: [{ level: "info", text: `${asks}: allowed for this turn${notTaken}` }],
  };
}
