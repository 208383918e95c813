import fs from "node:fs";
import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import { systemCode, textOrNone } from "./files.ts";
import { ownIdentity, parseIdentity, parseJson, type ProcessIdentity } from "./process-identity.ts";
import type { NotedChild } from "./process-starts.ts";

/** So many lines are written before those of children that ended are dropped. */
const linesAtMost = 1_000;
const ending = ".jsonl";

/** What one run file says. */
export interface NotedRun {
  readonly run: string;
  readonly identity: ProcessIdentity;
  readonly children: readonly NotedChild[];
}

/**
 * Notes the children of this process in a file, so that they can be found after a crash: a line of who we are, then one a
 * child. A line is written at once and never changed; a torn last line is no line. Lines of children that have ended
 * stay for a while: their start time keeps them from meaning anybody else.
 */
export class RunFile {
  readonly #file: string;
  readonly #folder: string;
  readonly #run: string;
  readonly #live = new Map<number, NotedChild>();
  #lines = 0;

  /** @param folder `<data>/run`, made with the first note @param run the beginning of the children's run names */
  constructor(folder: string, run: string) {
    this.#folder = folder;
    this.#run = run;
    this.#file = path.join(folder, run + ending.slice(1));
  }
  /** Says that there will be children: those that start before they are noted are found by their run's name. */
  open(): void {
    if (this.#lines > 0) return;
    fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#rewrite();
  }
  note(child: NotedChild): void {
    this.#live.set(child.pid, child);
    if (this.#lines >= linesAtMost && this.#live.size < linesAtMost / 2) this.#rewrite();
    else {
      fs.appendFileSync(this.#file, `${JSON.stringify(child)}\n`, { mode: 0o600 });
      this.#lines++;
    }
  }
  forget(pid: number): void {
    this.#live.delete(pid);
  }
  remove(): void {
    fs.rmSync(this.#file, { force: true });
    this.#lines = 0;
  }
  #rewrite(): void {
    const lines = [{ ...ownIdentity(), run: this.#run }, ...this.#live.values()];
    const temporary = `${this.#file}.new`;
    fs.writeFileSync(temporary, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 });
    fs.renameSync(temporary, this.#file);
    this.#lines = lines.length;
  }
}

/** The run files of a folder, by path. What is no run file of ours is left out. */
export function readRunFiles(folder: string): ReadonlyMap<string, NotedRun> {
  const runs = new Map<string, NotedRun>();
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name);
    const run = readRunFile(file);
    if (run) runs.set(file, run);
  }
  return runs;
}
function namesIn(folder: string): string[] {
  try {
    return fs.readdirSync(folder).filter((name) => name.endsWith(ending));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}
function readRunFile(file: string): NotedRun | undefined {
  // Its process may remove it while we look.
  const [head, ...rest] = (textOrNone(file) ?? "").split("\n").map(parseJson);
  const identity = parseIdentity(head);
  const run = isObject(head) ? head["run"] : undefined;
  // A run's name that is too short would stand for processes of others.
  if (typeof run !== "string" || !/^\d+-[0-9a-z]{6,}-[0-9a-z]+\.$/.test(run)) return undefined;
  return identity && { run, identity, children: rest.flatMap(asChild) };
}
function asChild(value: unknown): NotedChild[] {
  if (!isObject(value)) return [];
  const { pid, start, at } = value;
  // 0 and 1 as a group would mean ourselves, or everybody.
  const isPid = typeof pid === "number" && Number.isInteger(pid) && pid > 1;
  return isPid && typeof start === "string" && typeof at === "number" ? [{ pid, start, at }] : [];
}
