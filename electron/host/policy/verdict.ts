import type { Because } from "../../../shared/approval.ts";
import { isInside } from "../kit/files.ts";
import type { GateInput } from "./gate.ts";
import type { LocatedPath } from "./locate.ts";

/** What the sandbox policy says of an action (spec 4, the first table). */
export type Verdict = "ok" | "upgrade" | "reject";
export interface Judged {
  readonly verdict: Verdict;
  readonly because: readonly Because[];
  readonly confined: boolean;
  /** Folders outside that this call reads in. */
  readonly opens: readonly string[];
}
interface Finding {
  readonly verdict: Verdict;
  readonly because?: Because;
}
const ok: Finding = { verdict: "ok" };
const upgrade = (code: Because["code"], detail?: string): Finding => ({
  verdict: "upgrade",
  because: { code, ...(detail === undefined ? {} : { detail }) },
});

/** The strictest of what the class and each path give, with the reasons. Pure. */
export function judge(input: GateInput): Judged {
  const opens = new Set<string>();
  const findings = [
    classFinding(input),
    ...input.paths.map((path) => {
      const finding = path.access === "write" ? writeFinding(input, path) : readFinding(input, path);
      if (path.access === "read" && finding.because?.code === "outside_workspace") opens.add(path.folder);
      return finding;
    }),
  ];
  const worst = (["reject", "upgrade"] as const).find((verdict) =>
    findings.some((finding) => finding.verdict === verdict),
  );
  const reasons = new Map<string, Because>();
  for (const path of input.paths)
    if (path.access === "write" && path.protectedFolder !== null)
      reasons.set(path.real, { code: "protected_folder", detail: path.protectedFolder });
  for (const { because } of findings) if (because) reasons.set(JSON.stringify(because), because);
  return {
    verdict: worst ?? "ok",
    because: [...reasons.values()],
    confined: isConfined(input),
    opens: [...opens],
  };
}
/** Under `workspace_write` what can be confined runs so wherever a sandbox exists. */
const isConfined = ({ perm, policy, confinable, sandboxAvailable }: GateInput): boolean =>
  perm === "shell" && policy.sandbox === "workspace_write" && confinable && sandboxAvailable;

function classFinding(input: GateInput): Finding {
  const { perm, policy } = input;
  if (perm === "read") return ok;
  if (policy.sandbox === "read_only")
    return { verdict: "reject", because: { code: perm === "net" ? "network" : perm } };
  if (perm === "write") return ok;
  if (perm === "net") {
    if (policy.sandbox === "full_access" || policy.networkAccess) return ok;
    return upgrade("network", input.hosts.length === 0 ? undefined : input.hosts.join(", "));
  }
  if (input.destructive) return upgrade("destructive", input.command);
  return policy.sandbox === "full_access" || isConfined(input) ? ok : upgrade("no_sandbox");
}
function writeFinding({ policy }: GateInput, path: LocatedPath): Finding {
  if (policy.sandbox === "read_only")
    return { verdict: "reject", because: { code: "write", detail: path.real } };
  if (policy.sandbox === "full_access") return ok;
  return path.place === "workspace" || path.place === "writable"
    ? ok
    : upgrade("outside_workspace", path.real);
}
function readFinding({ policy, openedFolders = [], home }: GateInput, path: LocatedPath): Finding {
  if (policy.sandbox === "full_access") return ok;
  if (path.secret) return upgrade("secret_file", path.real);
  if (path.place !== "outside") return ok;
  const opens = (folder: string): boolean =>
    folder === path.folder ||
    (isInside(folder, path.real) && !(home !== undefined && isInside(folder, home)));
  return openedFolders.some(opens) ? ok : upgrade("outside_workspace", path.folder);
}
