import type { ExplanationView } from "../../../shared/contract/policy.ts";
import { splitShellCommand } from "../policy/shell-command.ts";
import type { JudgedCall } from "./judged-call.ts";

/** A judged call as people are told of it: what decides, and all that it was decided from. */
export const explanation = ({ decision, gate }: JudgedCall): ExplanationView => ({
  decision: decision.answer,
  by: decision.by,
  ...(decision.rule === undefined ? {} : { rule: decision.rule }),
  ...(decision.source === undefined ? {} : { source: decision.source }),
  perm: gate.perm,
  because: decision.because,
  paths: gate.paths.map(({ given, real, access, protectedFolder }) => ({
    given,
    real,
    access,
    protectedFolder,
  })),
  hosts: gate.hosts,
  parts: gate.command === undefined ? [] : splitShellCommand(gate.command).parts.map(({ text }) => text),
  confined: decision.confined,
});
