import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Settings } from "../config/types.ts";
import { Emitter } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import type { Rule } from "../config/permission.ts";
import type { SkillSwitches } from "./collection.ts";
import type { SkillUsePorts } from "./invocation.ts";
import type { SkillRoomOptions, Skills } from "./skills.ts";
import { createLocalFiles } from "./local-files.ts";

const quiet: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: (message, data) => {
    throw new Error(`${message} ${JSON.stringify(data)}`);
  },
  error: () => undefined,
  child: () => quiet,
};
export const quietLog = quiet;

/** Switches in memory. */
function memorySwitches(): SkillSwitches & { readonly all: Map<string, boolean> } {
  const all = new Map<string, boolean>();
  const changed = new Emitter<ReadonlySet<string>>();
  return {
    all,
    isOn: (id, fallback = true) => all.get(id) ?? fallback,
    set: async (id, on) => {
      all.set(id, on);
      changed.emit(new Set([id]));
    },
    onChange: changed,
  };
}

/** Nobody to ask, no tools and no model; the rules decide. */
export const alonePorts = (rules: () => readonly Rule[]): SkillUsePorts => ({
  rules,
  permit: async () => ({ by: "policy", asked: false }),
  onLoad: () => undefined,
  now: () => 0,
  toolName: () => undefined,
  onlyReads: () => false,
  isAllowed: () => false,
  model: async () => ({ reason: "there is none" }),
  grant: async () => "nobody is here",
});

/** A folder on disk with a home, a project and a workspace in it. */
export class SkillWorld {
  readonly folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-skills-")));
  readonly switches = memorySwitches();
  rules: readonly Rule[] = [];
  roleRules: Readonly<Record<string, readonly Rule[]>> = {};
  trusted = false;
  settings: Settings["skills"] = {
    dirs: [],
    strict: false,
    catalogDescriptionMaxLength: 500,
    placement: "reminder",
    resourceListing: "files",
    collectCacheMaxEntries: 128,
  };
  readonly #inProject: string;

  /** @param inProject Where the workspace lies in the project; its root by default. */
  constructor(inProject = "") {
    this.#inProject = inProject;
    fs.mkdirSync(this.workspace, { recursive: true });
    fs.mkdirSync(this.at("project", ".git"));
  }
  get workspace(): string {
    return this.at("project", this.#inProject);
  }
  at(...names: readonly string[]): string {
    return path.join(this.folder, ...names);
  }
  /** In the workspace, unless the path is absolute. */
  write(file: string, text: string): string {
    const target = path.resolve(this.workspace, file);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
    return target;
  }
  skill(folder: string, fields: Readonly<Record<string, string>>, body = "Body."): string {
    const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}\n`);
    return this.write(path.join(folder, "SKILL.md"), `---\n${lines.join("")}---\n${body}\n`);
  }
  link(target: string, at: string): string {
    const file = path.resolve(this.workspace, at);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.symlinkSync(target, file);
    return file;
  }
  options(): SkillRoomOptions {
    return {
      workspace: this.workspace,
      paths: {
        home: this.at("home"),
        config: this.at("home", "config"),
        data: this.at("home", "data"),
        cache: this.at("home", "cache"),
        cst: this.at("home", "cst"),
      },
      env: {},
      files: createLocalFiles(),
      settings: () => this.settings,
      switches: this.switches,
      rules: (role) => [...this.rules, ...(role === undefined ? [] : (this.roleRules[role] ?? []))],
      trusted: () => this.trusted,
      use: { rules: () => this.rules, ports: async () => alonePorts(() => this.rules) },
      log: quiet,
      // Long after every file was written, so that the index believes what it reads.
      clock: { now: () => Date.now() + 60_000 },
    };
  }
  remove(): void {
    fs.rmSync(this.folder, { recursive: true, force: true });
  }
}
/** The instructions of a skill as a person uses it. */
export async function instructionsOf(
  skills: Skills,
  name: string,
  sessionId: string | null = null,
): Promise<string> {
  const { prompt } = await skills.use.use(name, "", { sessionId, signal: new AbortController().signal });
  return /<skill_instructions>\n([\s\S]*)\n<\/skill_instructions>/.exec(prompt)?.[1] ?? prompt;
}
export const rule = (pattern: string, answer: Rule["answer"]): Rule => ({
  tool: "skill",
  pattern,
  answer,
  source: "settings",
  trusted: true,
});
