import type { ExplanationView } from "../../shared/contract/policy.ts";
import { ruleSourceText } from "../../shared/rule-source.ts";
import { reasonText } from "../host/tools/denial.ts";
import { table } from "./output.ts";

const answers = {
  allow: "is allowed",
  ask: "asks, and is denied where nobody can be asked and no --allow answers",
  deny: "is denied",
} as const;

/** What decides about a call, and all that it was decided from, for people: one line each. */
export function explanationText(tool: string, view: ExplanationView): string {
  const { decision, by, source, because, paths, hosts, parts } = view;
  const rows = [
    ["decided by", source === undefined ? by : `${by} (${ruleSourceText(source)})`],
    ["class", view.permFrom === undefined ? view.perm : `${view.perm} (${view.permFrom})`],
    ...[...new Set(because.map(reasonText))].map((reason) => ["because", reason]),
    ...paths.map(({ given, real, access, protectedFolder }) => [
      access,
      `${given === real ? real : `${given} → ${real}`}${protectedFolder === null ? "" : ` (protected: ${protectedFolder})`}`,
    ]),
    ...hosts.map((host) => ["host", host]),
    ...parts.map((part) => ["command", part]),
    ...(view.perm === "shell" ? [["runs", view.confined ? "in the OS sandbox" : "unconfined"]] : []),
  ];
  return `${tool} ${answers[decision]}\n${table(rows.map(([label, text]) => [`  ${label}`, text ?? ""]))}`;
}
