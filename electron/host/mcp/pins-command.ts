import { NacreError } from "../../../shared/errors.ts";
import type { McpServerDetails, McpToolRow } from "../../../shared/mcp.ts";
import { visibleName } from "../../../shared/visible-text.ts";
import { unifiedDiff } from "../tools/builtin/unified-diff.ts";

/** A definition that waits for a person, and the digest that approving it names. */
interface Waiting {
  readonly name: string;
  readonly digest: string;
  readonly row: McpToolRow;
}
const waits = (row: McpToolRow): Waiting | undefined => {
  const digest = row.change?.digest ?? row.added?.digest;
  return digest === undefined ? undefined : { name: row.name, digest, row };
};
/**
 * The definitions of a server that changed or are new; of one tool where it is named.
 * @throws NacreError `not_found` where the tool does not wait
 */
export function waitingTools(details: McpServerDetails, tool?: string): Waiting[] {
  const all = details.tools.flatMap((row) => waits(row) ?? []);
  const wanted = tool === undefined ? all : all.filter(({ name }) => name === tool);
  if (tool !== undefined && wanted.length === 0)
    throw new NacreError("not_found", `no tool "${visibleName(tool)}" waits for approval`);
  return wanted;
}
/** What is different in each, or what is new. */
export async function waitingText(tools: readonly Waiting[]): Promise<string> {
  const texts = tools.map(async ({ name, row: { change, description } }) => {
    const shown = visibleName(name);
    if (!change) return `${shown}: new\n${description}`;
    const difference = await unifiedDiff(shown, change.before, change.after);
    return `${shown}: changed\n${difference ?? "it differs in a part that is too long to be shown"}`;
  });
  return (await Promise.all(texts)).join("\n\n");
}

/** One tool in a line: `search  on  120 tokens  Finds things`. */
export function toolLine({ name, state, tokens, description, added }: McpToolRow): string[] {
  const first = description.split("\n")[0] ?? "";
  return [visibleName(name), added ? `${state}, new` : state, `${tokens} tokens`, visibleName(first)];
}

/** What `/mcp approve` has of the manager. */
export interface ApprovingPorts {
  details(name: string): McpServerDetails;
  approveTools(name: string, tools: readonly { name: string; digest: string }[]): Promise<void>;
}
/**
 * `/mcp approve NAME [TOOL]`: shows what waits, and approves it when it is said again: exactly what was shown, and nothing
 * that changed since.
 */
export class ToolApprovals {
  readonly #ports: ApprovingPorts;
  readonly #shown = new Map<string, readonly Waiting[]>();
  constructor(ports: ApprovingPorts) {
    this.#ports = ports;
  }
  /** @throws NacreError `not_found`, `denied` */
  async approve(server: string, tool: string | undefined): Promise<string> {
    const waiting = waitingTools(this.#ports.details(server), tool);
    if (waiting.length === 0) return `no tool of ${server} waits for approval`;
    const key = `${server} ${tool ?? ""}`;
    const shown = this.#shown.get(key) ?? [];
    const isShown = waiting.every((one) =>
      shown.some(({ name, digest }) => name === one.name && digest === one.digest),
    );
    if (!isShown) {
      this.#shown.set(key, waiting);
      return `${await waitingText(waiting)}\n\nTo approve exactly this, say /mcp approve ${key.trim()} again.`;
    }
    this.#shown.delete(key);
    await this.#ports.approveTools(
      server,
      waiting.map(({ name, digest }) => ({ name, digest })),
    );
    return `approved: ${waiting.map(({ name }) => visibleName(name)).join(", ")}`;
  }
}
