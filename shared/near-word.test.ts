import { expect, test } from "vitest";
import { nearWord } from "./near-word.ts";

const known = ["approval", "sandbox", "writable_roots", "network_access", "url", "args", "pluginNetwork"];
test.each([
  ["sandboks", "sandbox"],
  ["snadbox", "sandbox"],
  ["Sandbox", "sandbox"],
  ["aproval", "approval"],
  ["networkAccess", "network_access"],
  ["plugin_network", "pluginNetwork"],
  ["uri", "url"],
  ["arg", "args"],
])("%s is meant as %s", (word, meant) => {
  expect(nearWord(word, known)).toBe(meant);
});
test.each(["theme", "box", "", "x", "u", "approvals_of_others"])("%j is near none", (word) => {
  expect(nearWord(word, known)).toBeUndefined();
});
test("a word of megabytes costs nothing", () => {
  expect(nearWord("s".repeat(4_000_000), known)).toBeUndefined();
});
