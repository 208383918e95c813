import type { DeclarationRow } from "../../shared/workspace.ts";

const order: readonly DeclarationRow["kind"][] = ["plugin", "mcp", "hook", "lsp", "dap", "rules"];

/** How many declarations of each kind wait; kinds without one are left out. */
export const waitingParts = (
  waiting: readonly DeclarationRow[],
): { kind: DeclarationRow["kind"]; count: number }[] =>
  order
    .map((kind) => ({ kind, count: waiting.filter((row) => row.kind === kind).length }))
    .filter(({ count }) => count > 0);
