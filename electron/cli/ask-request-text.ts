import type { McpRequestView } from "../../shared/mcp-request.ts";
import { visibleLines, visibleName } from "../../shared/visible-text.ts";
import { barred, shortened, type AskPlace } from "./ask-text.ts";
import type { FormField } from "./form-field.ts";

const what: Readonly<Record<McpRequestView["kind"], string>> = {
  form: "asks you for something",
  url: "wants you to open a page",
  sampling: "wants the model to answer something",
  sign_in: "wants you to sign in: open this page",
};
const keys: Readonly<Record<McpRequestView["kind"], string>> = {
  form: "y fill it in · n decline · Esc leave it open",
  url: "y I have opened it · n decline · Esc leave it open",
  sampling: "y let it answer · n decline · v show all of it · Esc leave it open",
  sign_in: "Ctrl+C gives up",
};
/**
 * What an MCP server wants, as lines for a terminal. Our own words begin a line; whatever the server brings stands behind
 * a bar, as in an approval.
 */
export function requestText(view: McpRequestView, place: AskPlace): string {
  const waiting = place.total > 1 ? ` (1 of ${place.total})` : "";
  return [
    `? MCP server${waiting} ${what[view.kind]}`,
    ...barred(visibleName(view.server), place),
    ...bodyOf(view, place),
    `  ${keys[view.kind]}`,
  ].join("\n");
}
function bodyOf(view: McpRequestView, place: AskPlace): readonly string[] {
  switch (view.kind) {
    case "form":
      return barred(visibleLines(view.message), place);
    case "url":
      return [
        ...barred(visibleLines(view.message), place),
        "  Page",
        ...barred(visibleLines(view.url), place),
      ];
    case "sign_in":
      return ["  Page", ...barred(visibleLines(view.url), place)];
    case "sampling": {
      const lines = [
        ...(view.system === "" ? [] : ["  System", ...barred(visibleLines(view.system), place)]),
        ...view.messages.flatMap(({ role, text }) => [
          role === "user" ? "  User" : "  Assistant",
          ...barred(visibleLines(text), place),
        ]),
      ];
      return [
        `  Model ${visibleName(view.model)}, at most ${view.maxTokens} tokens`,
        ...(place.whole ? lines : shortened(lines)),
      ];
    }
  }
}

/** One field of a form. */
export function fieldText(field: FormField, place: AskPlace): string {
  const { label, description, required, choices, isList, fallback } = field;
  const hint = [
    required ? "needed" : "may be left empty",
    ...(fallback === undefined ? [] : [`Enter takes ${visibleName(JSON.stringify(fallback))}`]),
    ...(isList ? ["several with commas"] : []),
  ];
  return [
    ...barred(visibleName(label), place, "·"),
    ...(description === "" ? [] : barred(visibleLines(description), place)),
    ...choices.flatMap((choice, index) => barred(visibleName(choice.label), place, String(index + 1))),
    `  (${hint.join(", ")})`,
  ].join("\n");
}
