import path from "node:path";
import { expect, test } from "vitest";
import { fromHome } from "./home-path.ts";

const home = path.join(path.sep, "home", "u");
test.each([
  ["~", home],
  ["~/notes", `${home}${path.sep}notes`],
  ["~\\notes", `${home}${path.sep}notes`],
  ["~/link/../x", `${home}${path.sep}link/../x`],
  ["~other/notes", "~other/notes"],
  ["a/~/b", "a/~/b"],
  ["", ""],
])("%j", (text, expected) => expect(fromHome(text, home)).toBe(expected));
