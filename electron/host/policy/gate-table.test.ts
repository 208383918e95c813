import { describe, expect, test } from "vitest";
import { approvalPolicies, type ApprovalPolicy, type SandboxPolicy } from "../../../shared/policy.ts";
import { gateTable } from "./gate-table.ts";

const told = (sandbox: SandboxPolicy, approval: ApprovalPolicy, more = { network: false, works: true }) =>
  gateTable({ approval, sandbox, networkAccess: more.network }, more.works).map(
    ({ perm, where, answer }) => `${perm} ${where} ${answer}`,
  );
/** One column an approval policy: never, on_request, always. */
const columns = (sandbox: SandboxPolicy, more?: { network: boolean; works: boolean }): string[] => {
  const [never = [], onRequest = [], always = []] = approvalPolicies.map((approval) =>
    told(sandbox, approval, more),
  );
  return never.map((line, index) =>
    [line, ...[onRequest[index], always[index]].map((other) => other?.split(" ")[2])].join(" "),
  );
};

describe("the table as the window shows it, typed by hand from spec 4", () => {
  test("read_only", () => {
    expect(columns("read_only")).toEqual([
      "read inside allow allow allow",
      "read outside deny ask ask",
      "write any deny deny deny",
      "shell any deny deny deny",
      "net any deny deny deny",
    ]);
  });
  test("workspace_write", () => {
    expect(columns("workspace_write")).toEqual([
      "read inside allow allow allow",
      "read outside deny ask ask",
      "write inside allow allow ask",
      "write outside deny ask ask",
      "shell confined allow allow ask",
      "shell destructive deny ask ask",
      "net any deny ask ask",
    ]);
  });
  test("full_access", () => {
    expect(columns("full_access")).toEqual([
      "read any allow allow allow",
      "write any allow allow ask",
      "shell any allow allow ask",
      "shell destructive deny ask ask",
      "net any allow allow ask",
    ]);
  });
  test("without a sandbox a command asks, and the line says that it would run unconfined", () => {
    const without = { network: false, works: false };
    expect(columns("workspace_write", without)[4]).toBe("shell unconfined deny ask ask");
    expect(columns("full_access", without)).toEqual(columns("full_access"));
  });
  test("network_access lets net through in workspace_write, never in read_only", () => {
    const on = { network: true, works: true };
    expect(columns("workspace_write", on).at(-1)).toBe("net any allow allow ask");
    expect(columns("read_only", on).at(-1)).toBe("net any deny deny deny");
  });
  test("approval policies are told in the order of the settings", () => {
    expect(approvalPolicies).toEqual(["never", "on_request", "always"]);
  });
});
