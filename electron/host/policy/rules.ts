import type { RuleAnswer } from "../../../shared/policy.ts";

/** One permission rule (spec 4): `permission.<tool pattern>` with an argument pattern (`*` where none stands). */
export interface Rule {
  readonly tool: string;
  readonly pattern: string;
  readonly answer: RuleAnswer;
  /** Where it stands: `settings`, `dropstone:<path>`, `role:<name>`. */
  readonly source: string;
  /** False for a workspace that is not trusted: then only `deny` and `ask` count. */
  readonly trusted: boolean;
}
