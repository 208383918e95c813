import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";
import { withoutMarks } from "./resource-text.ts";

/** Characters of one server's instructions in every request to the model. */
const mostOfOne = 2000;

/** What servers tell the model about themselves, marked as theirs; empty where none does. */
export function serverInstructions(
  servers: readonly { readonly server: string; readonly text: string }[],
): string {
  return servers
    .filter(({ text }) => text.trim() !== "")
    .map(({ server, text }) => {
      const { kept, left } = cutEnd(withoutMarks(text.trim()), mostOfOne);
      const cut = left === 0 ? "" : `\n[cut here: ${left} more characters]`;
      return `<mcp_server name=${JSON.stringify(visibleName(server))}>\n${kept}${cut}\n</mcp_server>`;
    })
    .join("\n\n");
}
