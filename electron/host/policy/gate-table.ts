import type { PermissionClass, SandboxPolicy } from "../../../shared/policy.ts";
import type { GateLine, GatePlace } from "../../../shared/workspace.ts";
import { decide, type GateInput } from "./gate.ts";
import type { LocatedPath } from "./locate.ts";

/** The lines that people are told of: a place stands alone where the first table of spec 4 treats it differently. */
const lines: Readonly<Record<SandboxPolicy, readonly (readonly [PermissionClass, GatePlace])[]>> = {
  read_only: [
    ["read", "inside"],
    ["read", "outside"],
    ["write", "any"],
    ["shell", "any"],
    ["net", "any"],
  ],
  workspace_write: [
    ["read", "inside"],
    ["read", "outside"],
    ["write", "inside"],
    ["write", "outside"],
    ["shell", "confined"],
    ["shell", "destructive"],
    ["net", "any"],
  ],
  full_access: [
    ["read", "any"],
    ["write", "any"],
    ["shell", "any"],
    ["shell", "destructive"],
    ["net", "any"],
  ],
};

/**
 * What the gate says of each kind of action before any rule, where somebody can be asked: each line is the gate's own
 * answer for an example of its kind. Pure. Where no sandbox works, `unconfined` stands in place of `confined`.
 */
export function gateTable(policy: GateInput["policy"], sandboxAvailable: boolean): readonly GateLine[] {
  return lines[policy.sandbox].map(([perm, place]) => {
    const where = place === "confined" && !sandboxAvailable ? "unconfined" : place;
    return { perm, where, answer: decide(example(policy, sandboxAvailable, perm, where)).answer };
  });
}

function example(
  policy: GateInput["policy"],
  sandboxAvailable: boolean,
  perm: PermissionClass,
  where: GatePlace,
): GateInput {
  const paths = perm === "read" || perm === "write" ? [examplePath(perm, where)] : [];
  return {
    perm,
    policy,
    sandboxAvailable,
    confinable: true,
    canAsk: true,
    paths,
    hosts: [],
    destructive: where === "destructive",
    tool: { all: [] },
    rules: [],
    allow: [],
    outsideText: false,
    remembered: [],
  };
}
/** Under `any` the place makes no difference; the outside is as good an example as the inside. */
const examplePath = (access: LocatedPath["access"], where: GatePlace): LocatedPath => ({
  given: "",
  real: "",
  access,
  place: where === "inside" ? "workspace" : "outside",
  names: [],
  protectedFolder: null,
  secret: false,
  folder: "",
});
