import { describe, expect, it } from "vitest";
import { LineTree } from "./line-tree.ts";
import type { LineBody, RecordLine } from "./lines.ts";

const line = (
  id: string,
  parent: string | null,
  body: LineBody = { type: "user", text: id },
): RecordLine => ({
  v: 1,
  id,
  parent,
  t: 0,
  ...body,
});
const part = (id: string, parent: string, message: string, text: string): RecordLine =>
  line(id, parent, { type: "assistant_part", message, text, reasoning: `r${text}` });
const tree = (...lines: RecordLine[]): LineTree => {
  const made = new LineTree();
  for (const each of lines) made.add(each);
  return made;
};
const ids = (made: LineTree): string[] => made.branch().map((each) => each.id);

describe("LineTree", () => {
  it("follows the last line to the root", () => {
    expect(ids(tree(line("a", null), line("b", "a"), line("c", "b")))).toEqual(["a", "b", "c"]);
    expect(ids(tree())).toEqual([]);
  });
  it("moves to the leaf that a head names, and branches there", () => {
    const made = tree(
      line("a", null),
      line("b", "a"),
      line("c", "b"),
      line("d", "c", { type: "head", leaf: "a" }),
    );
    expect(made.leaf).toBe("a");
    expect(ids(made)).toEqual(["a"]);
    made.add(line("e", "a"));
    expect(ids(made)).toEqual(["a", "e"]);
    made.add(line("f", "e", { type: "head", leaf: "c" }));
    expect(ids(made)).toEqual(["a", "b", "c"]);
    expect(made.lastId).toBe("f");
  });
  it("stays where it is when a head names nothing known", () => {
    expect(ids(tree(line("a", null), line("b", "a", { type: "head", leaf: "x" })))).toEqual(["a"]);
  });
  it("passes over a parent that could not be read", () => {
    expect(ids(tree(line("a", null), line("c", "b"), line("d", "c")))).toEqual(["a", "c", "d"]);
    expect(ids(tree(line("c", "b"), line("d", "c")))).toEqual(["c", "d"]);
  });
  it("ends with parents that come later or go in a circle", () => {
    expect(ids(tree(line("a", "b"), line("b", "a")))).toEqual(["a", "b"]);
    expect(ids(tree(line("a", "a")))).toEqual(["a"]);
  });
  it("takes a line once", () => {
    expect(ids(tree(line("a", null), line("b", "a"), line("a", null)))).toEqual(["a", "b"]);
  });
  it("replaces parts by the whole", () => {
    const whole = line("d", "c", { type: "assistant", message: "m", text: "xyz", reasoning: "" });
    expect(ids(tree(line("a", null), part("b", "a", "m", "x"), part("c", "b", "m", "y"), whole))).toEqual([
      "a",
      "d",
    ]);
  });
  it("joins the parts of an answer that broke off", () => {
    const made = tree(line("a", null), part("b", "a", "m", "x"), part("c", "b", "m", "y"), line("d", "c"));
    expect(ids(made)).toEqual(["a", "b", "d"]);
    expect(made.branch()[1]).toMatchObject({ type: "assistant_part", text: "xy", reasoning: "rxry" });
  });
});
