import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { lastMatch } from "./rules.ts";
import type { RuleAnswer } from "../../../shared/policy.ts";
import { ConfigStore } from "../config/store.ts";
import { createWorld, type World } from "../config/world.testkit.ts";

/** One file's `permission` in the order of its text; names may stand twice. */
type Written = readonly (readonly [
  tool: string,
  value: RuleAnswer | readonly (readonly [string, RuleAnswer])[],
])[];

const files = [
  "config/settings.json",
  "home/.config/dropstone/dropstone.json",
  "project/dropstone.json",
  "project/apps/dropstone.json",
  "project/apps/web/dropstone.json",
];
let world: World;
beforeAll(() => {
  world = createWorld();
  fs.mkdirSync(path.join(world.top, "project/.git"), { recursive: true });
  fs.mkdirSync(path.join(world.top, "project/apps/web"), { recursive: true });
});
afterAll(() => world.remove());

const answer = fc.constantFrom<RuleAnswer>("allow", "ask", "deny");
// Keys like an index, which a plain object would put first, and names of the language.
const name = fc.constantFrom(
  "skill",
  "*",
  "1",
  "3000",
  "0",
  "10",
  "__proto__",
  "constructor",
  "s?ill",
  "sk*",
);
const written: fc.Arbitrary<Written> = fc.array(
  fc.tuple(name, fc.oneof(answer, fc.array(fc.tuple(name, answer), { maxLength: 5 }))),
  { maxLength: 5 },
);
const textOf = (entries: Written): string => {
  const members = entries.map(([tool, value]) => {
    const text =
      typeof value === "string"
        ? JSON.stringify(value)
        : `{${value.map(([pattern, one]) => `${JSON.stringify(pattern)}: "${one}"`).join(", ")}}`;
    return `${JSON.stringify(tool)}: ${text}`;
  });
  return `{${members.join(", ")}}`;
};
interface Flat {
  readonly tool: string;
  readonly pattern: string;
  readonly answer: RuleAnswer;
}
const flat = (entries: Written): Flat[] =>
  entries.flatMap(([tool, value]) =>
    typeof value === "string"
      ? [{ tool, pattern: "*", answer: value }]
      : value.map(([pattern, one]) => ({ tool, pattern, answer: one })),
  );
/** The naive reading: of all that was written, the last that fits. */
const fits = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s").test(text);
const naive = (all: readonly Flat[], tool: string, argument: string): RuleAnswer | undefined =>
  all.findLast((rule) => fits(rule.tool, tool) && fits(rule.pattern, argument))?.answer;

test("rules of all files are the texts one after the other, and the last that fits decides", async () => {
  const workspace = path.join(world.top, "project/apps/web");
  const property = fc.asyncProperty(
    fc.tuple(written, written, written, written, written),
    fc.tuple(written, written, written, written, written),
    async (global, ofRole) => {
      for (const [index, file] of files.entries()) {
        const own = textOf(global[index] ?? []);
        const role = textOf(ofRole[index] ?? []);
        const trust = index === 0 ? `"trusted_workspaces": [${JSON.stringify(workspace)}], ` : "";
        world.write(file, `{${trust}"permission": ${own}, "agent": {"plan": {"permission": ${role}}}}`);
      }
      const { current } = await ConfigStore.open({ workspace, paths: world.paths });
      const plain = ({ tool, pattern, answer: one }: Flat): Flat => ({ tool, pattern, answer: one });
      const expected = global.flatMap(flat);
      const forRole = ofRole.flatMap(flat);
      expect(current.rules.map(plain)).toEqual(expected);
      expect((current.agents["plan"]?.rules ?? []).map(plain)).toEqual(forRole);
      for (const argument of ["skill", "3000", "1", "other"]) {
        const joined = [...current.rules, ...(current.agents["plan"]?.rules ?? [])];
        expect(lastMatch(joined, ["skill"], [argument])?.answer).toBe(
          naive([...expected, ...forRole], "skill", argument),
        );
      }
    },
  );
  await fc.assert(property, { numRuns: 60 });
});
