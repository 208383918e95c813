import type { DoctorReport } from "../../shared/contract/app.ts";
import { toErrorValue } from "../../shared/errors.ts";
import type { Foundation } from "./foundation.ts";
import type { Rooms } from "./rooms.ts";

/** `nacre doctor` (cli.md): what is here, and everything that is wrong. Asks no server on the network. */
export async function doctorReport(foundation: Foundation, rooms: Rooms): Promise<DoctorReport> {
  const { sandbox, diagnostics, paths } = foundation;
  const confined = await sandbox.verify();
  const models = await rooms.models().catch((error: unknown) => {
    diagnostics.set("models", [{ code: "models", severity: "error", message: toErrorValue(error).message }]);
    return [];
  });
  const sandboxProblem = confined.ok
    ? []
    : [
        {
          code: "no-sandbox",
          severity: "warning" as const,
          message: `nothing runs confined, so shell commands ask: ${confined.reason ?? "no OS sandbox was found"}`,
          ...(confined.fix === undefined ? {} : { fix: confined.fix }),
        },
      ];
  const servers = rooms.mcp
    .rows()
    .filter(({ state }) => state === "failed" || state === "exited" || state === "needs_setup")
    .map((row) => ({
      code: `mcp-${row.state.replace("_", "-")}`,
      severity: "error" as const,
      message: `MCP server ${row.name}: ${row.error ?? row.stderr ?? row.state}`,
    }));
  return {
    node: process.version,
    electron: process.versions["electron"] ?? null,
    sandbox: { kind: confined.kind ?? "none", ok: confined.ok },
    config: paths.config,
    models: models.map(({ id, ok, error }) => ({ id, ok, ...(error === undefined ? {} : { error }) })),
    problems: [...diagnostics.all(), ...sandboxProblem, ...servers],
  };
}
