import { beforeAll, describe, expect, test } from "vitest";
import { loadFrontmatter, namesOf, textOf, type Frontmatter } from "./frontmatter.ts";

let read: (text: string, needed?: ReadonlySet<string>) => Frontmatter;
beforeAll(async () => {
  const load = await loadFrontmatter();
  const usual = new Set(["name", "description", "allowed-tools", "user-invocable", "arguments", "kairox"]);
  read = (text, needed = usual) => load(text, needed);
});
const parsed = (text: string): Extract<Frontmatter, { kind: "parsed" }> => {
  const front = read(text);
  if (front.kind !== "parsed") throw new Error(`not parsed: ${JSON.stringify(front)}`);
  return front;
};
const broken = (text: string): Extract<Frontmatter, { kind: "broken" }>["finding"] => {
  const front = read(text);
  if (front.kind !== "broken") throw new Error(`not broken: ${JSON.stringify(front)}`);
  return front.finding;
};

describe("the split", () => {
  test("LF, CRLF, bare CR and a mix give the same", () => {
    const text = "---\nname: demo\ndescription: fine\n---\n\nBody.\n";
    const twins = [
      text,
      text.replaceAll("\n", "\r\n"),
      text.replaceAll("\n", "\r"),
      text.replace("\n", "\r\n"),
    ];
    for (const twin of twins)
      expect(parsed(twin)).toMatchObject({ data: { name: "demo", description: "fine" }, body: "\nBody.\n" });
  });
  test("one byte-order mark goes, a later one stays", () => {
    const front = parsed("\uFEFF---\nname: a\n---\n\uFEFFBody");
    expect(front.body).toBe("\uFEFFBody");
    expect(front.findings).toEqual([]);
  });
  test("blanks after the fences are fine", () => {
    expect(parsed("---  \nname: a\n--- \t\nBody").body).toBe("Body");
  });
  test("later rules of three dashes belong to the body", () => {
    expect(parsed("---\nname: h\n---\n# A\n---\n# B\n---\nend").body).toBe("# A\n---\n# B\n---\nend");
  });
  test("no block", () => {
    for (const text of ["# Title\ntext", "----\nname: a\n----\n", "", "text\n---\nname: a\n---\n"])
      expect(read(text)).toEqual({ kind: "none", body: text });
  });
  test("an empty block is a block", () => {
    expect(parsed("---\n---\nBody")).toMatchObject({ data: {}, body: "Body" });
    expect(parsed("---\n# nothing\n---\nBody")).toMatchObject({ data: {}, body: "Body" });
  });
  test("a comment above it is told and counted", () => {
    const front = parsed("<!-- generated\nby tool -->\n\n---\nname: gen\ndescription: D.\n---\nBody");
    expect(front.data).toEqual({ name: "gen", description: "D." });
    expect(front.findings).toMatchObject([{ code: "frontmatter-not-first", severity: "warning" }]);
    expect(["name", "description", "body"].map(front.lineOf)).toEqual([5, 6, undefined]);
  });
  test("not closed", () => {
    expect(broken("---\nname: a\n\nBody")).toMatchObject({ code: "frontmatter-open", line: 1 });
    expect(broken("---\nname: a\n----\nBody")).toMatchObject({ code: "frontmatter-open", line: 3 });
  });
  test.each(["js", "javascript", " coffee", "json", "toml"])("---%s is refused and not run", (language) => {
    const canary = "nacreFrontmatterCanary";
    const finding = broken(`---${language}\n{ x: globalThis.${canary} = 1 }\n---\nBody`);
    expect(finding).toMatchObject({ code: "frontmatter-language", line: 1 });
    expect(Object.hasOwn(globalThis, canary)).toBe(false);
  });
});

describe("values", () => {
  test("block scalars", () => {
    for (const style of ["|", ">", "|-", ">-", "|+"])
      expect(
        String(parsed(`---\nd: ${style}\n  one\n  two\n---\n`).data["d"])
          .replaceAll(/\s+/g, " ")
          .trim(),
      ).toBe("one two");
  });
  test.each(["3000", "true", "null", "1.10", "0x10", "1e3"])("%s stays as it is written", (value) => {
    expect(textOf(parsed(`---\nname: ${value}\n---\n`), "name")).toEqual({ text: value, coerced: true });
    expect(textOf(parsed(`---\nname: "${value}"\n---\n`), "name")).toEqual({ text: value, coerced: false });
  });
  test.each(["no", "On", "2024-01-02", "2024-01-02T10:00:00Z", "1:30", "0123_4", "0b11"])(
    "%s is no text in YAML 1.1, which other clients read: it stays text and is told",
    (value) => {
      const front = parsed(`---\nname: ${value}\n---\n`);
      expect(front.data["name"]).toBe(value);
      expect(textOf(front, "name")).toEqual({ text: value, coerced: true });
      expect(textOf(parsed(`---\nname: '${value}'\n---\n`), "name")).toEqual({ text: value, coerced: false });
    },
  );
  test.each(["1.0.0", "2024", "v1", "none", "yesterday", "1.2.3-beta", "nope", "-x", ".net"])(
    "%s is what everybody reads",
    (value) => {
      const { data, written } = parsed(`---\nname: ${value}\n---\n`);
      expect(data["name"]).toBe(value === "2024" ? 2024 : value);
      expect(written["name"]).toBe(value === "2024" ? "2024" : undefined);
    },
  );
  test("numbers, truth values and null are those of YAML 1.2's core schema", () => {
    const { data } = parsed(
      "---\na: 0x1F\nb: 0o17\nc: -1.5e3\nd: True\ne: ~\nf: +12\ng: .inf\nh: 012\ni: [1, no, x]\n1: key\ntrue: key\n---\n",
    );
    expect(data).toEqual({
      a: 31,
      b: 15,
      c: -1500,
      d: true,
      e: null,
      f: 12,
      g: ".inf",
      h: 12,
      i: [1, "no", "x"],
      "1": "key",
      true: "key",
    });
  });
  test("one level deeper", () => {
    expect(parsed("---\nmetadata:\n  version: 1.0\n  author: me\n---\n").written).toEqual({
      "metadata.version": "1.0",
    });
  });
  test("nothing, a list and a map are no text", () => {
    const front = parsed("---\na:\nb: [x]\nc: {d: e}\n---\n");
    for (const key of ["a", "b", "c", "missing"]) expect(textOf(front, key)).toBeUndefined();
  });
});

describe("YAML that fails", () => {
  const colon = "---\nname: demo\ndescription: Does a thing. Use when: you need the thing done.\n---\nBody\n";
  test("a colon in a plain value is quoted, with a warning, the same each time", () => {
    for (let time = 0; time < 3; time++)
      expect(parsed(colon)).toMatchObject({
        data: { name: "demo", description: "Does a thing. Use when: you need the thing done." },
        findings: [{ code: "frontmatter-colon", severity: "warning", line: 3 }],
      });
  });
  test("an apostrophe, a continued line and two such values", () => {
    const front = parsed("---\na: it's: so\nb: first: one\n  and two\nc: fine\n---\n");
    expect(front.data).toEqual({ a: "it's: so", b: "first: one and two", c: "fine" });
    expect(front.findings.map(({ line }) => line)).toEqual([2, 3]);
    expect(["a", "b", "c"].map(front.lineOf)).toEqual([2, 3, 5]);
  });
  test("two bracket groups in a cosmetic key", () => {
    const front = parsed(
      "---\nname: poster\ndescription: Make a poster.\nargument-hint: [paper-dir] [size: 185x90cm, colors: true]\n---\n",
    );
    expect(front.data["argument-hint"]).toBe("[paper-dir] [size: 185x90cm, colors: true]");
    expect(front.findings).toMatchObject([{ severity: "warning", line: 4 }]);
  });
  test("what parses is never quoted", () => {
    expect(parsed('---\na: "b: c"\nd: {e: f}\n---\n')).toMatchObject({
      data: { a: "b: c", d: { e: "f" } },
      findings: [],
    });
  });
  test.each([
    ["---\nname: a\ndescription: [unclosed\n---\n", 3],
    ['---\nname: "unclosed\n---\n', 2],
    ["---\nname: a\nname: b\n---\n", 3],
    ["---\n- a\n- b\n---\n", 2],
    ["---\njust text\n---\n", 2],
    ["---\nname: a\n\tdescription: tab\n---\n", 3],
  ])("%j is hopeless, with its line", (text, line) => {
    const finding = broken(text);
    expect(finding.code).toBe("frontmatter-yaml");
    expect(finding.line).toBeGreaterThanOrEqual(line - 1);
    expect(finding.line).toBeLessThanOrEqual(line + 1);
  });
  test("an alias bomb ends quickly", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"];
    for (const [name, of] of ["ba", "cb", "dc", "ed", "fe", "gf"].map((pair) => [pair[0], pair[1]]))
      bomb.push(`${name}: &${name} [*${of},*${of},*${of},*${of},*${of},*${of},*${of},*${of},*${of}]`);
    expect(broken(`---\n${bomb.join("\n")}\n---\n`).code).toBe("frontmatter-yaml");
  });
  test("a key called __proto__ changes no prototype", () => {
    parsed("---\n__proto__: {polluted: true}\nname: a\n---\n");
    expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
  });
});

describe("what is no front matter of this app", () => {
  test.each([
    "---js",
    "---javascript",
    "---json",
    "---coffee",
    "--- cson",
    "---toml",
    "---csv",
    ";;;",
    ";;; json",
    "+++",
  ])("%s is refused, whatever stands in it, and no cache remembers another outcome", (fence) => {
    const close = /^(?:;;;|\+\+\+)/.exec(fence)?.[0] ?? "---";
    const text = `${fence}\n(globalThis.nacreCanary = 1, {name: "a"})\n${close}\nBody`;
    for (let time = 0; time < 3; time++)
      expect(read(text)).toMatchObject({
        kind: "broken",
        finding: { code: "frontmatter-language", severity: "error", line: 1 },
        body: "Body",
      });
    expect(Object.hasOwn(globalThis, "nacreCanary")).toBe(false);
  });
  test.each(["---yaml", "--- yml", "--- YAML", "--- # comment"])("%s is YAML", (fence) => {
    expect(parsed(`${fence}\nname: a\n---\nBody`)).toMatchObject({ data: { name: "a" }, findings: [] });
  });
  test("no tag makes more of a value than text, a list or a map", () => {
    for (const tag of ["!!js/function", "!!js/regexp", "!!js/undefined", "!!binary", "!!python/object"])
      expect(broken(`---\nname: ${tag} x\n---\n`).code).toBe("frontmatter-yaml");
    expect(parsed("---\nname: !x y\n---\n").data).toEqual({ name: "!x y" });
    expect(parsed("---\nname: !!str 3000\n---\n").data).toEqual({ name: "3000" });
  });
});

describe("the fences", () => {
  test.each([
    ["blank lines", "\n \n", 3, "found a blank line"],
    ["an HTML comment", "<!-- a\nb -->\n", 3, "found a comment"],
    ["comments and blanks", "<!-- a -->\n\n<!-- b -->\n", 4, "found a comment"],
    ["lines of #", "# generated\n# by tool\n", 3, "found a comment"],
  ])("%s above the block are told, and lines stay right", (_what, lead, fence, words) => {
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = `${lead}---\nname: a\ndescription: x: y\n---\nBody`.replaceAll("\n", end);
      const front = parsed(text);
      expect(front.body).toBe("Body");
      expect(front.lineOf("description")).toBe(fence + 2);
      expect(front.findings).toMatchObject([
        { code: "frontmatter-not-first", line: 1, message: expect.stringContaining(words) as unknown },
        { code: "frontmatter-colon", line: fence + 2 },
      ]);
    }
  });
  test("a rule below a heading is no fence", () => {
    for (const text of ["# Title\n---\nSome text\n---\n", "# Title\n---\nname: a\n", "  ---\ntext\n  ---\n"])
      expect(read(text)).toEqual({ kind: "none", body: text });
  });
  test("indented fences are read and told", () => {
    const front = parsed("  ---\n  name: a\n  d: |\n    x\n  ---\nBody");
    expect(front).toMatchObject({ data: { name: "a", d: "x\n" }, body: "Body" });
    expect(front.findings).toMatchObject([{ code: "frontmatter-indented", severity: "warning", line: 1 }]);
    expect(front.lineOf("d")).toBe(3);
  });
  test("a block that is indented as a whole", () => {
    const front = parsed("---\n  name: a\n  b: c: d\n---\n");
    expect(front.data).toEqual({ name: "a", b: "c: d" });
    expect(front.findings).toMatchObject([{ code: "frontmatter-colon", line: 3 }]);
  });
  test("what closes nothing is told with its line", () => {
    expect(broken("---\nname: a\n ---\nBody")).toMatchObject({
      code: "frontmatter-open",
      line: 3,
      fix: "take the blanks before --- away",
    });
    expect(broken("---\nname: a\n---- \nBody")).toMatchObject({ code: "frontmatter-open", line: 3 });
    expect(broken("---")).toMatchObject({ code: "frontmatter-open", line: 1 });
  });
});

test("lists of names", () => {
  expect(namesOf("Read, Grep Glob,Bash(git diff: *)")).toEqual(["Read", "Grep", "Glob", "Bash(git diff: *)"]);
  expect(namesOf(["a", " b ", 3, ""])).toEqual(["a", "b"]);
  expect(namesOf({ a: true })).toBeUndefined();
});
