import { NacreError } from "../../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../../shared/json.ts";
import { visibleName } from "../../../../shared/visible-text.ts";

const maxPages = 64;
/** Of one list of one server. */
const mostRows = 5000;

export interface Listing<Row> {
  readonly rows: readonly Row[];
  /** One line each: what is wrong, and what was done. */
  readonly problems: readonly string[];
}
/** How one list is asked for and read. */
export interface ListKind<Row> {
  /** `resources/list` */
  readonly method: string;
  /** Where the list stands in an answer: `resources`. */
  readonly key: string;
  /** One entry; a text says why it is left out. */
  readonly read: (raw: JsonObject) => Row | string;
  /** What no two entries may share. */
  readonly idOf: (row: Row) => string;
}

/**
 * All pages of a list (MCP 2025-11-25, Pagination), forgiving what servers get wrong: a bad entry does not cost the others,
 * `nextCursor: null` ends the list, a cursor that comes back ends it, of two equal entries the first stays.
 * @throws NacreError `invalid_input` where the first answer holds no list; whatever `page` throws
 */
export async function listPages<Row>(
  { method, key, read, idOf }: ListKind<Row>,
  page: (cursor: string | undefined) => Promise<unknown>,
): Promise<Listing<Row>> {
  const rows = new Map<string, Row>();
  const problems: string[] = [];
  const cursors = new Set<string>();
  let cursor: string | undefined;
  for (let number = 1; ; number++) {
    const result = await page(cursor);
    const list = isObject(result) ? result[key] : undefined;
    if (!isObject(result) || !Array.isArray(list))
      throw new NacreError("invalid_input", `the server answered ${method} without a list of ${key}`);
    for (const raw of list) {
      const row = isObject(raw) ? read(raw) : "an entry that is no object";
      if (typeof row === "string") problems.push(`${method}: left out ${row}`);
      else if (rows.has(idOf(row))) problems.push(`${method}: left out a second ${visibleName(idOf(row))}`);
      else if (rows.size < mostRows) rows.set(idOf(row), row);
    }
    const next = result["nextCursor"];
    if (typeof next !== "string" || next === "") break;
    const fault =
      rows.size >= mostRows
        ? `stopped after ${mostRows} entries`
        : number === maxPages
          ? `stopped after ${maxPages} pages`
          : cursors.has(next)
            ? `the cursor ${visibleName(next)} came twice; the list ends there`
            : undefined;
    if (fault !== undefined) {
      problems.push(`${method}: ${fault}`);
      break;
    }
    cursors.add(next);
    cursor = next;
  }
  return { rows: [...rows.values()], problems };
}
