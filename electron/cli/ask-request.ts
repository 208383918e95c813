import { TypingGuard } from "../../shared/approval-keys.ts";
import type { McpRequestAnswer, McpRequestView } from "../../shared/mcp-request.ts";
import { visibleName } from "../../shared/visible-text.ts";
import { fieldText, requestText } from "./ask-request-text.ts";
import type { AskPlace } from "./ask-text.ts";
import { formFields, readField } from "./form-field.ts";
import type { Keyboard } from "./keyboard.ts";
import { printError } from "./output.ts";

/**
 * Puts what an MCP server wants to the person at the terminal. Undefined: they leave it open, or it was taken back.
 * @throws where the terminal fails
 */
export async function askRequest(
  view: McpRequestView,
  place: AskPlace,
  keyboard: Pick<Keyboard, "key" | "line">,
  signal: AbortSignal,
): Promise<McpRequestAnswer | undefined> {
  const guard = new TypingGuard(performance.now());
  printError(requestText(view, place));
  // The page is there to be opened: nothing more is to be agreed to, and what comes of it is waited for.
  if (view.kind === "sign_in") return { action: "accept" };
  for (;;) {
    const key = await keyboard.key(signal);
    if (key === undefined || !guard.passes(performance.now())) {
      if (key === undefined) return undefined;
      continue;
    }
    switch (key) {
      case "escape":
        return undefined;
      case "v":
        printError(requestText(view, { ...place, whole: true }));
        break;
      case "n":
        printError("  → declined");
        return { action: "decline" };
      case "y":
        if (view.kind === "form") return fillIn(view, place, keyboard, signal);
        printError("  → agreed");
        return { action: "accept" };
      default:
        guard.restart(performance.now());
    }
  }
}
/** Field by field. */
async function fillIn(
  view: Extract<McpRequestView, { kind: "form" }>,
  place: AskPlace,
  keyboard: Pick<Keyboard, "line">,
  signal: AbortSignal,
): Promise<McpRequestAnswer | undefined> {
  const content: Record<string, unknown> = {};
  for (const field of formFields(view.schema)) {
    printError(fieldText(field, place));
    for (;;) {
      const line = await keyboard.line("  > ", signal);
      if (line === undefined) return undefined;
      const read = readField(field, line);
      if ("problem" in read) {
        printError(`  ${visibleName(read.problem, 300)}`);
        continue;
      }
      if (read.value !== undefined) content[field.name] = read.value;
      break;
    }
  }
  printError("  → sent");
  return { action: "accept", content };
}
