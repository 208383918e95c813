import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import { systemCode } from "./files.ts";
import type { SpawnSpec } from "./process.ts";

/**
 * Why a program did not start, in plain words. `data.missing` is `program`, `folder` or `interpreter` where
 * something was not found.
 */
export function spawnError(spec: SpawnSpec, cause: unknown): NacreError {
  const program = spec.command;
  const code = systemCode(cause);
  const options = (missing?: string): object => ({
    cause,
    data: { program, ...(spec.cwd === undefined ? {} : { cwd: spec.cwd }), ...(missing ? { missing } : {}) },
  });
  const folder = spec.cwd === undefined ? undefined : statOf(spec.cwd);
  if (spec.cwd !== undefined && !folder?.isDirectory())
    return new NacreError(
      "not_found",
      `cannot start ${program}: the folder ${spec.cwd} ${folder ? "is a file" : "does not exist"}`,
      options("folder"),
    );
  const named = program.includes("/") || program.includes(path.sep);
  if (code === "ENOENT" && named && statOf(path.resolve(spec.cwd ?? "", program)))
    return new NacreError(
      "not_found",
      `cannot start ${program}: the program that its first line (#!) names was not found`,
      options("interpreter"),
    );
  if (code === "ENOENT" || code === "ENOTDIR")
    return new NacreError(
      "not_found",
      named
        ? `cannot start ${program}: there is no such file`
        : `cannot start ${program}: no such program on PATH; install it or give its full path`,
      options("program"),
    );
  if (code === "EACCES" || code === "EPERM")
    return new NacreError(
      "unavailable",
      `cannot start ${program}: it is not executable for this user; make it so (chmod +x) or name its interpreter`,
      options(),
    );
  if (code === "E2BIG")
    return new NacreError(
      "invalid_input",
      `cannot start ${program}: its arguments and environment are too long`,
      options(),
    );
  const text = cause instanceof Error ? cause.message : String(cause);
  return new NacreError(
    code === "ERR_INVALID_ARG_VALUE" ? "invalid_input" : "unavailable",
    `cannot start ${program}: ${text}`,
    options(),
  );
}
function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    // Whatever keeps us from seeing it keeps the program from starting there; the caller's message says which.
    return undefined;
  }
}
