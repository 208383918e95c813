import { expect, test } from "vitest";
import { mcpRow } from "../fixtures.testing.ts";
import { countingServers } from "./counting-servers.ts";

test("of each name the first counts", () => {
  const rows = ["a", "b", "a"].map((name, index) => mcpRow({ name, id: `mcp:${index}/${name}` }));
  expect(countingServers(rows)).toEqual(rows.slice(0, 2));
});
