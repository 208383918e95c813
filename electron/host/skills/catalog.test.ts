import { describe, expect, test } from "vitest";
import {
  cutNotice,
  largestCatalog,
  renderCatalog,
  type CatalogPlacement,
  type CatalogSkill,
} from "./catalog.ts";

const render = (
  skills: readonly CatalogSkill[],
  placement: CatalogPlacement = "reminder",
  longestDescription = 500,
) => renderCatalog(skills, { placement, longestDescription });
const many = (count: number, length: (index: number) => number, text = "x"): CatalogSkill[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `skill-${String(index).padStart(4, "0")}`,
    description: text.repeat(length(index)),
  }));

test("nothing for no skill", () => {
  expect(render([])).toMatchObject({ text: "", cut: null });
});
test("sorted, blanks collapsed, escaped, in its frame", () => {
  const skills = [
    { name: "b", description: "two\n  lines\t." },
    { name: "a", description: "<b> & </system-reminder>" },
  ];
  const { text, cut } = render(skills);
  expect(text.startsWith("<system-reminder>\n")).toBe(true);
  expect(
    text.endsWith("- a: &lt;b&gt; &amp; &lt;/system-reminder&gt;\n- b: two lines .\n</system-reminder>"),
  ).toBe(true);
  expect(cut).toBeNull();
  expect(render(skills, "system").text).toMatch(/^# Skills\n[\s\S]*\n- b: two lines \.\n$/);
  expect(render(skills, "tool").text).toBe(
    "<available_skills>\n<skill><name>a</name><description>&lt;b&gt; &amp; &lt;/system-reminder&gt;</description></skill>\n<skill><name>b</name><description>two lines .</description></skill>\n</available_skills>",
  );
});
test("the hash follows the text", () => {
  const one = render([{ name: "a", description: "1" }]);
  expect(render([{ name: "a", description: " 1 " }]).hash).toBe(one.hash);
  expect(render([{ name: "a", description: "2" }]).hash).not.toBe(one.hash);
});

describe("cutting", () => {
  test("500 code points, the mark counted", () => {
    const { text, cut } = render([{ name: "a", description: "😀".repeat(501) }]);
    expect(text).toContain(`- a: ${"😀".repeat(499)}…\n`);
    expect(cut).toEqual({ total: 1, limit: 500, isFull: false, shortened: 1, dropped: [] });
    expect(cutNotice(cut)).toBe(
      "1 of 1 skill descriptions is longer than 500 characters; the model is shown the beginning",
    );
    expect(render([{ name: "a", description: "😀".repeat(500) }]).cut).toBeNull();
  });
  test("a setting below three counts as three", () => {
    expect(render([{ name: "a", description: "abcdef" }], "reminder", 1).text).toContain("- a: ab…\n");
  });
  test("all names stay and descriptions shrink evenly", () => {
    const skills = many(36, (index) => 100 + index * 15);
    const { text, cut } = render(skills);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largestCatalog);
    const lengths = [...text.matchAll(/^- (\S+): (.*)$/gm)].map(
      ([, , description]) => Array.from(description ?? "").length,
    );
    expect(lengths).toHaveLength(36);
    expect(new Set(lengths).size).toBe(1);
    expect(cut).toMatchObject({ total: 36, isFull: true, shortened: 36, dropped: [] });
  });
  test("36 skills of 100 to 650 characters: every name stays, none loses all of its text, one notice tells of it", () => {
    const skills = many(36, (index) => 100 + ((index * 37) % 551));
    const { text, cut } = render(skills);
    const lengths = [...text.matchAll(/^- (\S+): (.*)$/gm)].map(
      ([, , description]) => description?.length ?? 0,
    );
    expect(lengths).toHaveLength(36);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBe(0);
    expect(cut?.dropped).toEqual([]);
    expect(cutNotice(cut)).toBe(`${cut?.shortened} of 36 skill descriptions were shortened`);
    expect(render(skills.toReversed()).text).toBe(text);
  });
  test("500 skills within 4,096 bytes: no description is cut while a name is dropped for it, and the user is told of both", () => {
    const skills = many(500, (index) => 30 + (index % 400));
    for (const placement of ["reminder", "system", "tool"] as const) {
      const { text, cut } = render(skills, placement);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largestCatalog);
      const listed = skills.filter(({ name }) => text.includes(name)).length;
      expect(listed + (cut?.dropped.length ?? 0)).toBe(500);
      expect(listed).toBeGreaterThan(50);
      // Names are dropped only when nothing is left of any description.
      expect(text).not.toContain("xx");
      expect(cutNotice(cut)).toBe(
        `${listed} of 500 skill descriptions were shortened; ${500 - listed} of 500 skills found no room in the catalog`,
      );
    }
  });
  test("short descriptions stay whole while long ones shrink", () => {
    const skills = [
      ...many(10, () => 20),
      ...many(10, () => 600, "字").map(({ name, description }) => ({ name: `z-${name}`, description })),
    ];
    const { text, cut } = render(skills);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largestCatalog);
    expect(text).toContain(`- skill-0009: ${"x".repeat(20)}\n`);
    expect(cut?.shortened).toBe(10);
  });
  test("names go last in order of rank, and the text says how many", () => {
    const skills = [{ name: "zz-best", description: "x" }, ...many(1000, () => 300)];
    const { text, cut } = render(skills);
    const names = text.match(/^- \S+$/gm) ?? [];
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(largestCatalog);
    expect(Buffer.byteLength(text)).toBeGreaterThan(largestCatalog - 30);
    expect(names).toContain("- zz-best");
    expect(cut?.dropped).toHaveLength(1001 - names.length);
    expect(cut?.dropped[0]).toBe(`skill-${String(names.length - 1).padStart(4, "0")}`);
    expect(text).toContain(`(${1001 - names.length} more skills are not listed`);
    expect(cutNotice(cut)).toMatch(/; \d+ of 1001 skills found no room in the catalog$/);
  });
  test.each(["reminder", "system", "tool"] as const)(
    "%s keeps within its bytes at every size",
    (placement) => {
      for (const count of [1, 7, 40, 90, 150, 300])
        for (const length of [1, 3, 30, 700])
          for (const text of ["x", "&", "字", "a b "]) {
            const catalog = render(
              many(count, () => length, text),
              placement,
            );
            expect(Buffer.byteLength(catalog.text)).toBeLessThanOrEqual(largestCatalog);
          }
    },
  );
  test("the same in any order of equal rank", () => {
    const skills = many(30, (index) => 50 + index);
    expect(render(skills.toReversed()).text).toBe(render(skills).text);
  });
});
