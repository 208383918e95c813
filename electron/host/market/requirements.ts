import { NacreError } from "../../../shared/errors.ts";
import type { Requirement } from "../../../shared/market.ts";
import type { RunResult } from "../kit/process.ts";
import type { Needed } from "./types.ts";

/** The programs that a requirement may name; nothing else is ever run to look for it. First that answers counts. */
const programs: Readonly<Record<string, readonly string[]>> = {
  node: ["node"],
  npx: ["npx"],
  python: ["python3", "python"],
  uvx: ["uvx"],
  docker: ["docker"],
  git: ["git"],
  bun: ["bun"],
  deno: ["deno"],
};
const probeMs = 5_000;
/** A program that was installed meanwhile is found after this time. */
const rememberMs = 30_000;

export interface ProbeOptions {
  /** Runs a program to its end; rejects where it cannot start. */
  readonly run: (command: string, args: readonly string[], timeoutMs: number) => Promise<RunResult>;
  readonly now: () => number;
}
/** Looks for runtimes on this computer, each once in half a minute. */
export class Requirements {
  readonly #options: ProbeOptions;
  readonly #found = new Map<string, { at: number; version: Promise<string | undefined> }>();
  constructor(options: ProbeOptions) {
    this.#options = options;
  }
  /** What an entry needs, with what was found. An unknown kind cannot be looked for and counts as there. */
  check(needs: readonly Needed[]): Promise<Requirement[]> {
    return Promise.all(needs.map((needed) => this.#checkOne(needed)));
  }
  async #checkOne({ kind, minVersion, hint }: Needed): Promise<Requirement> {
    const known = Object.hasOwn(programs, kind);
    const found = known ? await this.#version(kind) : undefined;
    const ok = !known || (found !== undefined && (minVersion === undefined || isAtLeast(found, minVersion)));
    return {
      kind,
      ok,
      ...(minVersion === undefined ? {} : { need: `>=${minVersion}` }),
      ...(found === undefined ? {} : { found }),
      ...(hint === undefined ? {} : { hint }),
    };
  }
  #version(kind: string): Promise<string | undefined> {
    const now = this.#options.now();
    const before = this.#found.get(kind);
    if (before && now - before.at < rememberMs) return before.version;
    const version = this.#ask(programs[kind] ?? []);
    this.#found.set(kind, { at: now, version });
    return version;
  }
  async #ask(commands: readonly string[]): Promise<string | undefined> {
    for (const command of commands) {
      const result = await this.#options.run(command, ["--version"], probeMs).catch(() => undefined); // not here
      const version = result?.exit.code === 0 ? versionIn(result.output) : undefined;
      if (version !== undefined) return version;
    }
    return undefined;
  }
}

/** @throws NacreError `needs_setup` for the first thing that is missing or too old, with its hint */
export function assertRequirements(title: string, requirements: readonly Requirement[]): void {
  const missing = requirements.find(({ ok }) => !ok);
  if (!missing) return;
  const { kind, need, found, hint } = missing;
  const what = need === undefined ? kind : `${kind} ${need}`;
  const state = found === undefined ? "which is not on this computer" : `and ${found} is here`;
  throw new NacreError("needs_setup", `${title} needs ${what}, ${state}: ${hint ?? "install it first"}`);
}

/** `Docker version 27.3.1, build ce12230` → `27.3.1` */
export const versionIn = (output: string): string | undefined => /\d+(?:\.\d+)+/.exec(output)?.[0];

/** Compares number by number; what is missing counts as 0, and what stands behind a `-` does not count. */
export function isAtLeast(version: string, minimum: string): boolean {
  const numbers = (text: string): number[] =>
    (text.replace(/^[^\d]*/, "").split("-")[0] ?? "")
      .split(".")
      .map((part) => Number.parseInt(part, 10) || 0);
  const [have, need] = [numbers(version), numbers(minimum)];
  for (let i = 0; i < Math.max(have.length, need.length); i++) {
    const difference = (have[i] ?? 0) - (need[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
