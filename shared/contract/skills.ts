import * as z from "zod/mini";
import type { SkillRow } from "../extension-rows.ts";
import {
  largestSkillBytes,
  type SkillExplanation,
  type SkillInspection,
  type SkillInvocation,
  type SkillRepair,
  type SkillRootRow,
  type SkillSuggestion,
} from "../skills.ts";
import { method } from "./method.ts";

/** Longer ones name nothing: they are refused before anybody looks for them, and before a message repeats them. */
const id = z.string().check(z.maxLength(600));
const name = z.string().check(z.maxLength(300));
const digest = z.string().check(z.maxLength(200));
/** Counted in UTF-16 units, of which no text has more than bytes; the host counts the bytes. */
const text = z.string().check(z.maxLength(largestSkillBytes));
/** Skills as the settings and the composer work with them. Ids, as a name may mean another skill a moment later. */
export const skillsContract = {
  "skills.show": method(z.object({ id })).returns<SkillInspection>(),
  "skills.explain": method(z.object({ name })).returns<SkillExplanation>(),
  "skills.roots": method(z.object({})).returns<readonly SkillRootRow[]>(),
  /** A session's is held in memory and needs its `sessionId`. */
  "skills.create": method(
    z.object({
      name,
      scope: z.enum(["session", "workspace", "user"]),
      sessionId: z.optional(id),
    }),
  ).returns<SkillRow>(),
  /** `digest` of the text that was edited; refused where the file is another one now. */
  "skills.write": method(z.object({ id, text, digest })).returns<SkillRow>(),
  /** What a repair would change. Changes nothing. */
  "skills.repair": method(z.object({ id })).returns<SkillRepair>(),
  "skills.applyRepair": method(z.object({ id, digest })).returns<SkillRow>(),
  /** Makes a file of a session's skill. */
  "skills.save": method(z.object({ id, scope: z.enum(["workspace", "user"]) })).returns<SkillRow>(),
  /**
   * To the app's own trash, where it lies at `place`; `undo` is spent by `skills.restore`. Both null for what was in
   * memory alone. `linkTo` is where a link led that alone was removed: what lies there stays.
   */
  "skills.remove": method(z.object({ id })).returns<{
    readonly undo: string | null;
    readonly place: string | null;
    readonly linkTo?: string;
  }>(),
  "skills.restore": method(z.object({ undo: digest })).returns<null>(),
  /** Opens the file, or its folder, with the system's program; the desktop alone can. */
  "skills.reveal": method(z.object({ id, what: z.enum(["file", "folder"]) })).returns<null>(),
  /** A pinned skill wins its name whatever its rank (spec 1). */
  "skills.pin": method(z.object({ id, pinned: z.boolean() })).returns<null>(),
  /** `permission.skill.<name>` in settings.json; null takes the rule away. What allows more is asked about first. */
  "skills.rule": method(
    z.object({ name, answer: z.nullable(z.enum(["allow", "ask", "deny"])) }),
  ).returns<null>(),
  /** Skills whose keywords occur in a text that is being typed, at most 3. */
  "skills.suggest": method(z.object({ text: z.string(), sessionId: z.nullable(z.string()) })).returns<
    readonly SkillSuggestion[]
  >(),
  /** What running a skill by its name would need. */
  "skills.invocation": method(
    z.object({ name, sessionId: z.nullable(z.string()) }),
  ).returns<SkillInvocation>(),
} as const;
