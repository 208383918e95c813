import fc from "fast-check";
import { expect, test } from "vitest";
import { matchPattern, type Steps } from "./match-pattern.ts";

const naive = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`, "u").test(text);
const texts = fc.array(fc.constantFrom("a", "b", "ab", "😀", "\n", "/"), { maxLength: 12 });
const patterns = fc.array(fc.constantFrom("a", "b", "ab", "😀", "*", "*", "?", "/"), { maxLength: 8 });

test("fits what a regular expression of the same meaning fits", () => {
  fc.assert(
    fc.property(patterns, texts, (pattern, text) => {
      const [one, other] = [pattern.join(""), text.join("")];
      expect([one, other, matchPattern(one, other)]).toEqual([one, other, naive(one, other)]);
    }),
    { numRuns: 3_000 },
  );
});

const text = "a".repeat(60_000);
const long = "a".repeat(990);
test.each([
  ["a segment that nearly fits everywhere", `*${long}b*`],
  ["several", `*${"a".repeat(300)}b*${"a".repeat(300)}b*`],
  ["many short ones", `*${"a*".repeat(490)}b`],
  ["many that nearly fit", `*${"aab*".repeat(240)}`],
  ["one at the end", `*${long}b`],
])("takes no more than a few looks at each character: %s", (_name, pattern) => {
  for (const whole of [text, `${text}b`, "ab".repeat(30_000)]) {
    const steps: Steps = { count: 0 };
    matchPattern(pattern, whole, true, steps);
    expect(steps.count).toBeLessThan(3 * (pattern.length + whole.length));
  }
});
test.each([
  [`*?${long}b*`, text],
  [`*${"a?".repeat(400)}b*`, text],
])("a `?` that would take pattern × text allows nothing, and denies what it may mean", (pattern, whole) => {
  for (const stricter of [true, false]) {
    const steps: Steps = { count: 0 };
    expect(matchPattern(pattern, whole, stricter, steps)).toBe(false);
    expect(matchPattern(pattern, `${whole}b`, stricter, steps)).toBe(stricter);
    expect(steps.count).toBeLessThan(1_000_000);
  }
});
