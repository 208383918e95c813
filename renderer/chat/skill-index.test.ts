import { expect, test } from "vitest";
import { skillRow } from "../fixtures.testing.ts";
import { skillIndex } from "./skill-index.ts";

const rows = ["pdf", "pdf-forms", "to-pdf", "docs:pdf", "notes"].map((name) => skillRow({ name }));
const names = (word: string, most = 8) =>
  skillIndex(rows, null)
    .matches(word, most)
    .map(({ name }) => name);

test.each([
  ["pdf", ["pdf", "pdf-forms", "docs:pdf", "to-pdf"]],
  ["no", ["notes"]],
  ["docs:", ["docs:pdf"]],
  ["zz", []],
])("%s", (word, found) => expect(names(word)).toEqual(found));

test("never more than asked for", () => {
  expect(names("", 3)).toEqual(["docs:pdf", "notes", "pdf"]);
  expect(names("p", 1)).toEqual(["pdf"]);
});

test("what is off, shadowed, invalid, denied, for the model alone or of another chat is no command", () => {
  const index = skillIndex(
    [
      ...(["off", "shadowed", "invalid", "denied", "untrusted"] as const).map((state) =>
        skillRow({ name: state, state }),
      ),
      skillRow({ name: "model-only", modelOnly: true }),
      skillRow({ name: "elsewhere", sessionId: "s2" }),
      skillRow({ name: "hidden", hiddenFromModel: true }),
      skillRow({ name: "own", description: "of all" }),
      skillRow({ name: "own", description: "of this chat", sessionId: "s1" }),
    ],
    "s1",
  );
  expect(index.matches("", 8).map(({ name }) => name)).toEqual(["hidden", "own"]);
  expect(index.find("own")?.description).toBe("of this chat");
});
