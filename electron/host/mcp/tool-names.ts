import { createHash } from "node:crypto";
import { visibleName } from "../../../shared/visible-text.ts";
import type { McpServerConfig } from "../config/types.ts";

/** Model providers take 64 characters; one is kept free (spec 6). */
const maxBytes = 63;
const hashLength = 8;
const sanitise = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/gu, "_");

/**
 * The interface's name: `mcp.github.search`. A server may send any text as a name: it stays on one line, short, and with
 * every hidden character seen, wherever it is shown.
 */
export const toolTitle = (server: string, tool: string): string =>
  `mcp.${visibleName(server)}.${visibleName(tool)}`;
/** The switch of one tool; the server stands where other tools have their plugin. */
export const toolSwitchId = (server: string, tool: string): string => `tool:mcp.${server}/${tool}`;

/**
 * The model's names, `mcp__<server>__<tool>`, in the order of the input: one `_` for each character that providers refuse, at
 * most 63 bytes. Where that cuts a name, or an earlier one has it, a hash of server and tool ends it. The same input in
 * the same order always gets the same names.
 */
export function modelToolNames(
  tools: readonly { readonly server: string; readonly tool: string }[],
): string[] {
  const taken = new Set<string>();
  return tools.map(({ server, tool }) => {
    const plain = `mcp__${sanitise(server)}__${sanitise(tool)}`;
    let name = plain;
    for (let round = 0; name.length > maxBytes || taken.has(name); round++) {
      const hash = createHash("sha256")
        .update(`${server}\0${tool}\0${round}`)
        .digest("hex")
        .slice(0, hashLength);
      name = `${plain.slice(0, maxBytes - hashLength - 1)}_${hash}`;
    }
    taken.add(name);
    return name;
  });
}

/** Whether the file lets a tool through: `enabled_tools`, then minus `disabled_tools`. */
export const isToolDeclaredOn = (config: McpServerConfig, tool: string): boolean =>
  (config.enabledTools?.includes(tool) ?? true) && !config.disabledTools.includes(tool);
/** Whether `autoApprove` makes a tool count as a read (spec 6). */
export const isAutoApproved = (config: McpServerConfig, tool: string): boolean =>
  config.autoApprove === true || config.autoApprove.includes(tool);
