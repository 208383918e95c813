import { expect, test } from "vitest";
import type { Entry } from "../../shared/session.ts";
import { toolCall } from "../fixtures.testing.ts";
import { entryKind, segments } from "./segments.ts";

const tool = (id: string, name: string): Entry => ({ type: "tool", id, t: 0, call: toolCall({ name }) });
const user = (id: string): Entry => ({ type: "user", id, t: 0, text: id });
const grouped = (...entries: Entry[]) => {
  const byId = new Map(entries.map((entry) => [entry.id, entryKind(entry)]));
  return segments([...byId.keys()], (id) => byId.get(id) ?? "entry").map(
    ({ kind, ids }) => `${kind}:${ids.join("")}`,
  );
};

test("neighbouring reads stand together, other calls in a column, all else alone", () => {
  expect(
    grouped(
      user("a"),
      tool("b", "read_file"),
      tool("c", "grep"),
      tool("d", "run_shell"),
      tool("e", "task"),
      user("f"),
    ),
  ).toEqual(["entry:a", "reads:bc", "calls:de", "entry:f"]);
});

test("one read is no group", () => {
  expect(grouped(tool("a", "read_file"), user("b"), tool("c", "glob"))).toEqual([
    "calls:a",
    "entry:b",
    "calls:c",
  ]);
});

test("nothing, no segments", () => expect(grouped()).toEqual([]));
