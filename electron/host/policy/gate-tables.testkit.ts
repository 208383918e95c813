import type { GateInput } from "./gate.ts";
import type { LocatedPath } from "./locate.ts";

export const samplePath = (
  access: LocatedPath["access"],
  place: LocatedPath["place"],
  over: Partial<LocatedPath> = {},
): LocatedPath => ({
  given: "x",
  real: place === "outside" ? "/out/x" : "/ws/x",
  access,
  place,
  names: place === "outside" ? ["/out/x"] : ["x", "/ws/x"],
  protectedFolder: null,
  secret: false,
  folder: place === "outside" ? "/out" : "/ws",
  ...over,
});
export const sampleInput: GateInput = {
  perm: "read",
  policy: { approval: "on_request", sandbox: "workspace_write", networkAccess: false },
  sandboxAvailable: true,
  confinable: true,
  canAsk: true,
  paths: [],
  hosts: [],
  destructive: false,
  tool: { all: ["the_tool"] },
  rules: [],
  allow: [],
  outsideText: false,
  remembered: [],
};

type Verdict = "ok" | "upgrade" | "reject";
const networkAccess = {
  policy: { approval: "on_request", sandbox: "workspace_write", networkAccess: true },
} as const;
const read = (...paths: LocatedPath[]): Partial<GateInput> => ({ paths });
const write = (...paths: LocatedPath[]): Partial<GateInput> => ({ perm: "write", paths });

/** Spec 4, the first table, typed by hand: what a call touches, then read_only, workspace_write, full_access. */
export const verdictTable: readonly (readonly [string, Partial<GateInput>, Verdict, Verdict, Verdict])[] = [
  ["read: no path", {}, "ok", "ok", "ok"],
  ["read: inside the workspace", read(samplePath("read", "workspace")), "ok", "ok", "ok"],
  ["read: in a writable root", read(samplePath("read", "writable")), "ok", "ok", "ok"],
  ["read: in a skill's folder", read(samplePath("read", "readable")), "ok", "ok", "ok"],
  ["read: outside", read(samplePath("read", "outside")), "upgrade", "upgrade", "ok"],
  [
    "read: inside and outside",
    read(samplePath("read", "workspace"), samplePath("read", "outside")),
    "upgrade",
    "upgrade",
    "ok",
  ],
  [
    "read: a secret file inside",
    read(samplePath("read", "workspace", { secret: true })),
    "upgrade",
    "upgrade",
    "ok",
  ],
  [
    "read: a secret file outside",
    read(samplePath("read", "outside", { secret: true })),
    "upgrade",
    "upgrade",
    "ok",
  ],
  ["write: no path", { perm: "write" }, "reject", "ok", "ok"],
  ["write: inside the workspace", write(samplePath("write", "workspace")), "reject", "ok", "ok"],
  ["write: in a writable root", write(samplePath("write", "writable")), "reject", "ok", "ok"],
  ["write: in a skill's folder", write(samplePath("write", "readable")), "reject", "upgrade", "ok"],
  ["write: outside", write(samplePath("write", "outside")), "reject", "upgrade", "ok"],
  [
    "write: inside and outside",
    write(samplePath("write", "workspace"), samplePath("write", "outside")),
    "reject",
    "upgrade",
    "ok",
  ],
  ["shell: an OS sandbox confines it", { perm: "shell" }, "reject", "ok", "ok"],
  ["shell: no OS sandbox here", { perm: "shell", sandboxAvailable: false }, "reject", "upgrade", "ok"],
  ["shell: nothing that can be confined", { perm: "shell", confinable: false }, "reject", "upgrade", "ok"],
  ["shell: destructive", { perm: "shell", destructive: true }, "reject", "upgrade", "upgrade"],
  [
    "shell: destructive, no OS sandbox here",
    { perm: "shell", destructive: true, sandboxAvailable: false },
    "reject",
    "upgrade",
    "upgrade",
  ],
  ["net: without network_access", { perm: "net", hosts: ["x.test"] }, "reject", "upgrade", "ok"],
  ["net: with network_access", { perm: "net", hosts: ["x.test"], ...networkAccess }, "reject", "ok", "ok"],
  ["a read tool that writes inside", read(samplePath("write", "workspace")), "reject", "ok", "ok"],
];

type Answer = "allow" | "ask" | "deny";
/** Spec 4, the second table, typed by hand: ok, upgrade, reject. */
export const answerTable: Readonly<
  Record<GateInput["policy"]["approval"], Readonly<Record<Verdict, Answer>>>
> = {
  never: { ok: "allow", upgrade: "deny", reject: "deny" },
  on_request: { ok: "allow", upgrade: "ask", reject: "deny" },
  // Reads that are ok pass.
  always: { ok: "ask", upgrade: "ask", reject: "deny" },
};
