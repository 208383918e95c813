import { allowsSomething, joinRules, untrustedRules } from "./config/rule-files.ts";
import type { Config } from "./config/types.ts";
import { ruleDeclaration } from "./declarations.ts";
import type { Foundation } from "./foundation.ts";

/**
 * The rules that count now. Of a file of the workspace that allows something and waits for approval (it is new, or has
 * changed since) only what denies or asks counts (spec 2).
 */
export function countingRules({
  config,
  trust,
  workspace,
}: Pick<Foundation, "config" | "trust" | "workspace">): Pick<Config, "rules" | "agents"> {
  const { ruleFiles, rules, agents } = config.current;
  const waits = new Set(
    ruleFiles.filter(
      (file) =>
        file.scope === "workspace" &&
        file.trusted &&
        allowsSomething(file) &&
        ruleDeclaration(file, workspace, trust).state !== "approved",
    ),
  );
  if (waits.size === 0) return { rules, agents };
  const joined = joinRules(ruleFiles.map((file) => (waits.has(file) ? untrustedRules(file) : file)));
  // What is remembered for the workspace stands before what files say.
  const remembered = rules.filter(({ source }) => source === "always");
  return { rules: [...remembered, ...joined.rules], agents: joined.agents };
}
