import { expect, test } from "vitest";
import { diffCounts, diffLines } from "./diff-lines.ts";

const diff = `--- a/x.ts
+++ b/x.ts
@@ -41,3 +41,3 @@
 same
-old
+new
 end
@@ -90,1 +90,2 @@
 last
+more
\\ No newline at end of file
`;

test("numbers lines of both sides and marks what is left out", () => {
  expect(diffLines(diff)).toEqual([
    { kind: "same", before: 41, after: 41, text: "same" },
    { kind: "removed", before: 42, after: null, text: "old" },
    { kind: "added", before: null, after: 42, text: "new" },
    { kind: "same", before: 43, after: 43, text: "end" },
    { kind: "skip", before: null, after: null, text: "" },
    { kind: "same", before: 90, after: 90, text: "last" },
    { kind: "added", before: null, after: 91, text: "more" },
  ]);
  expect(diffCounts(diffLines(diff))).toEqual({ added: 2, removed: 1 });
});

test("a removed line that looks like a header is a line", () => {
  expect(diffLines("@@ -1 +1 @@\n--- dashes\n+++ plus").map(({ kind, text }) => [kind, text])).toEqual([
    ["removed", "-- dashes"],
    ["added", "++ plus"],
  ]);
});

test("no diff, no lines", () => expect(diffLines("")).toEqual([]));
