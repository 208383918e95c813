import type { Diagnostic } from "../../shared/diagnostic.ts";

const rank: Readonly<Record<Diagnostic["severity"], number>> = { error: 0, warning: 1, info: 2 };

/** Worst first; otherwise in their order. */
export const bySeverity = (list: readonly Diagnostic[]): Diagnostic[] =>
  list.toSorted((a, b) => rank[a.severity] - rank[b.severity]);

/**
 * The problems of a room that no row of it shows: those whose code begins with one of `prefixes` and that are not among
 * the rows' own.
 */
export function looseDiagnostics(
  all: readonly Diagnostic[],
  prefixes: readonly string[],
  rows: readonly { readonly diagnostics: readonly Diagnostic[] }[],
): Diagnostic[] {
  const text = ({ code, path, line, message }: Diagnostic): string =>
    JSON.stringify([code, path, line, message]);
  const own = new Set(rows.flatMap(({ diagnostics }) => diagnostics.map(text)));
  return bySeverity(
    all.filter((one) => prefixes.some((prefix) => one.code.startsWith(prefix)) && !own.has(text(one))),
  );
}
