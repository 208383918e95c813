import { describe, expect, test } from "vitest";
import { factOf } from "./approval-facts.ts";

describe("a fact of an approval", () => {
  test("is whole where it fits", () => {
    expect(factOf("command", ["git", "push"])).toEqual({ label: "command", values: ["git", "push"] });
  });
  test("of 100 kB shows beginning and end, and says what is left out", () => {
    const { values, cut } = factOf("input", [`{"a": "${"x".repeat(100_000)}; rm -rf ~"}`]);
    expect(values[0]).toMatch(/^\{"a": "x+⟨… \d+ …⟩x+; rm -rf ~"\}$/);
    expect(values[0]?.length).toBeLessThan(50_000);
    expect(cut?.values).toBe(0);
    expect((cut?.characters ?? 0) + (values[0]?.length ?? 0)).toBeGreaterThanOrEqual(100_018);
  });
  test("of 10,000 arguments shows the first and the last ones, and says how many are left out", () => {
    const argv = Array.from({ length: 10_000 }, (_, index) => `--${index}`);
    const { values, cut } = factOf("command", argv);
    expect(cut).toEqual({ values: 9_600, characters: 0 });
    expect([values.length, values[0], ...values.slice(299, 302), values[400]]).toEqual([
      401,
      "--0",
      "--299",
      "⟨… 9600 …⟩",
      "--9900",
      "--9999",
    ]);
  });
  test("of many long arguments stays within its size", () => {
    const { values, cut } = factOf(
      "command",
      Array.from({ length: 10_000 }, () => "y".repeat(10_000)),
    );
    expect(values.join("").length).toBeLessThan(64 * 1024);
    expect(cut).toMatchObject({ values: 9_600 });
    expect(cut?.characters).toBeGreaterThan(3_000_000);
  });
  test("a long difference keeps its beginning, so that its lines keep their numbers", () => {
    const diff = `@@ -0,0 +1,9000 @@\n${"+line\n".repeat(9_000)}`;
    const { values, cut } = factOf("diff", [diff]);
    expect(diff.startsWith(values[0] ?? "")).toBe(true);
    expect(cut).toEqual({ values: 0, characters: diff.length - (values[0]?.length ?? 0) });
  });
});
