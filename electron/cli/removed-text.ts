import { NacreError } from "../../shared/errors.ts";
import type { TrashEntry } from "../host/skill-files/trash.ts";
import { table } from "./output.ts";

type Removed = Pick<TrashEntry, "undo" | "name" | "removedAt" | "path">;

/** What can be restored, a line each. */
export const removedText = (removed: readonly Removed[]): string =>
  table(removed.map((one) => [one.undo, one.name, new Date(one.removedAt).toISOString(), one.path])) ||
  "the trash is empty";

/**
 * The id of what a person wants back, by its id or by a name that only one thing in the trash has.
 * @throws NacreError `not_found` with what lies there, `invalid_input` for a name of several
 */
export function undoOf(removed: readonly Removed[], what: string): string {
  const known = removed.find(({ undo }) => undo === what);
  if (known) return known.undo;
  const named = removed.filter(({ name }) => name === what);
  const [only] = named;
  if (only && named.length === 1) return only.undo;
  if (only)
    throw new NacreError(
      "invalid_input",
      `several of the name ${what} lie in the trash; restore one by its id:\n${removedText(named)}`,
    );
  const there = removed.length === 0 ? "the trash is empty" : `there lies\n${removedText(removed)}`;
  throw new NacreError("not_found", `${what} does not lie in the trash (any more): ${there}`);
}
