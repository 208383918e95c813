import fs from "node:fs";
import path from "node:path";
import { vi } from "vitest";
import type { ApprovalAnswer, ApprovalView } from "../../../shared/approval.ts";
import type { Input, MethodName, Output } from "../../../shared/contract/index.ts";
import { createWorld, type World } from "../config/world.testkit.ts";
import { createHost, type Host, type HostOptions } from "../host.ts";

/** A host on a folder of skills, spoken to as a window does. */
export class ManagedWorld {
  readonly world: World = createWorld();
  #host: Host | undefined;

  get host(): Host {
    if (!this.#host) throw new Error("open() first");
    return this.#host;
  }
  async open(more: Partial<HostOptions> = {}): Promise<void> {
    await this.#host?.stop();
    this.#host = await createHost({
      workspace: this.world.workspace,
      env: {},
      paths: this.world.paths,
      version: "1.2.3",
      shell: "browser",
      canAsk: true,
      built: this.world.top,
      ...more,
    });
  }
  at(...names: readonly string[]): string {
    return path.join(this.world.top, ...names);
  }
  /** A skill's file below `ws/.agent/skills`, or below another folder of skills. */
  skill(
    name: string,
    { root = "ws/.agent/skills", fields = {}, body = "Body." }: SkillFileOptions = {},
  ): string {
    const all = { name, description: `About ${name}.`, ...fields };
    const lines = Object.entries(all).map(([key, value]) => `${key}: ${value}\n`);
    return this.world.write(`${root}/${name}/SKILL.md`, `---\n${lines.join("")}---\n${body}\n`);
  }
  /** One method as the window calls it, after the door. */
  async call<M extends MethodName & keyof Host["handlers"]>(method: M, input: Input<M>): Promise<Output<M>> {
    const handler = this.host.handlers[method] as (
      value: Input<M>,
      signal: AbortSignal,
    ) => Promise<Output<M>>;
    return handler(input, new AbortController().signal);
  }
  id(name: string, source?: string): string {
    const row = this.host.skills
      .rows()
      .find((one) => one.name === name && (source === undefined || one.source === source));
    if (!row) throw new Error(`no skill ${name}`);
    return row.id;
  }
  asked(): Promise<ApprovalView> {
    return vi.waitFor(() => {
      const view = this.host.broker.pending()[0];
      if (!view) throw new Error("nothing is asked");
      return view;
    });
  }
  async answer(given: ApprovalAnswer): Promise<ApprovalView> {
    const view = await this.asked();
    this.host.broker.answer(view.id, view.digest, given);
    return view;
  }
  /** Every file below a folder with its text, links as `→ target`. */
  tree(folder: string): Record<string, string> {
    const found: Record<string, string> = {};
    const visit = (relative: string): void => {
      for (const entry of fs.readdirSync(this.at(folder, relative), { withFileTypes: true })) {
        const at = path.join(relative, entry.name);
        if (entry.isDirectory()) visit(at);
        else if (entry.isSymbolicLink()) found[at] = `→ ${fs.readlinkSync(this.at(folder, at))}`;
        else found[at] = fs.readFileSync(this.at(folder, at), "utf8");
      }
    };
    if (fs.existsSync(this.at(folder))) visit("");
    return found;
  }
  async close(): Promise<void> {
    await this.#host?.stop();
    this.world.remove();
  }
}
interface SkillFileOptions {
  /** Below the world's top. */
  readonly root?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly body?: string;
}
