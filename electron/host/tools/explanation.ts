import type { ExplanationView } from "../../../shared/contract/policy.ts";
import type { GateInput } from "../policy/gate.ts";
import { readCommand } from "../policy/subjects.ts";
import type { JudgedCall } from "./judged-call.ts";
import type { Tool } from "./types.ts";

/** Of what could not be taken apart the whole text: no rule on a part of it allows the call. */
function partsOf(gate: GateInput, command: string): string[] {
  const { parts, complete } = readCommand(gate);
  return complete ? parts.map(({ text }) => text) : [command];
}
/** A judged call as people are told of it: what decides, and all that it was decided from. */
export const explanation = (
  { decision, gate }: JudgedCall,
  { permFrom }: Pick<Tool, "permFrom">,
): ExplanationView => ({
  decision: decision.answer,
  decider: decision.decider,
  by: decision.by,
  ...(decision.rule === undefined ? {} : { rule: decision.rule }),
  ...(decision.source === undefined ? {} : { source: decision.source }),
  perm: gate.perm,
  ...(permFrom === undefined ? {} : { permFrom }),
  because: decision.because,
  paths: gate.paths.map(({ given, real, access, protectedFolder }) => ({
    given,
    real,
    access,
    protectedFolder,
  })),
  hosts: gate.hosts,
  parts: gate.command === undefined ? [] : partsOf(gate, gate.command),
  confined: decision.confined,
});
