import { expect, test } from "vitest";
import { undoOf } from "./removed-text.ts";

const removed = (undo: string, name: string) => ({ undo, name, removedAt: 0, path: `/ws/${undo}/${name}` });
const all = [removed("a1", "my-first"), removed("b2", "twice"), removed("c3", "twice")];

test("what was removed comes back by its name where only one has it, and by its id", () => {
  expect(undoOf(all, "my-first")).toBe("a1");
  expect(undoOf(all, "c3")).toBe("c3");
});
test("a name of several, and one of nothing, are answered with what lies in the trash", () => {
  expect(() => undoOf(all, "twice")).toThrow(/by its id:\nb2 .*\nc3 /);
  expect(() => undoOf(all, "gone")).toThrow(/a1 +my-first/);
  expect(() => undoOf([], "gone")).toThrow(/the trash is empty/);
});
