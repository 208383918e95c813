import { describe, expect, test } from "vitest";
import { fillBody } from "./skill-arguments-fill.ts";
import { skillArguments } from "./skill-arguments.ts";

const declared = { version: { type: "string", required: true }, "dry-run": { type: "boolean" } };
const fill = (body: string, typed: string, raw: unknown = declared) =>
  fillBody(body, skillArguments(raw)?.schema ?? null, typed);

describe("placeholders", () => {
  test("every form of a declared argument is replaced, wherever it stands", () => {
    const body = "{{version}} {{ version }} $version $1 `gh $version` $dry-run $2.";
    expect(fill(body, "version=1.2 dry-run=true go")).toEqual({
      body: "1.2 1.2 1.2 1.2 `gh 1.2` true true.",
      text: "go",
      problems: [],
    });
  });
  test("what nobody declared stays as it is", () => {
    const body = "$HOME $2.50 $2,50 $9 $versions ${version} {{mustache}} {{#if version}} $$ 100$ $1st";
    expect(fill(body, "version=1 go", { version: { type: "string" } }).body).toContain(body);
  });
  test("a hyphen behind a name belongs to the sentence", () => {
    expect(fill("$version-beta $dry-run-x", "version=1 dry-run=no").body).toBe("1-beta false-x");
  });
  test("a backslash keeps a placeholder, and goes", () => {
    expect(fill("\\$version \\{{version}} \\$1 \\$ARGUMENTS \\$HOME $version", "version=7").body).toBe(
      "$version {{version}} $1 $ARGUMENTS \\$HOME 7",
    );
  });
  test("what was put in is not looked at again", () => {
    expect(fill("a $version b", 'version="$1 {{version}} $ARGUMENTS $&"').body).toBe(
      "a $1 {{version}} $ARGUMENTS $& b",
    );
  });
  test("an argument without a value gives nothing", () => {
    expect(fill("[$dry-run] $version", "version=1").body).toBe("[] 1");
  });
  test("$ARGUMENTS is the whole of what was typed, which then follows no more", () => {
    expect(fill("Do: $ARGUMENTS.", "version=1.2 go")).toMatchObject({
      body: "Do: version=1.2 go.",
      text: "",
    });
  });
  test("without a placeholder the values follow the body as a list", () => {
    expect(fill("Body.\n", 'version="1\n2" dry-run=no go')).toEqual({
      body: "Body.\n\nArguments:\n- version: 1\n  2\n- dry-run: false",
      text: "go",
      problems: [],
    });
    expect(fill("Body.", "go", { a: null }).body).toBe("Body.");
  });
});

describe("a skill that declares no arguments", () => {
  test("$ARGUMENTS and $1 work on what was typed", () => {
    expect(fill("Fix $ARGUMENTS", "42 now", null)).toMatchObject({ body: "Fix 42 now", text: "" });
    expect(fill("Fix $1 on $2", '42 "my branch" and be quick', null)).toMatchObject({
      body: "Fix 42 on my branch",
      text: "and be quick",
    });
  });
  test("a number that no word has gives nothing where the body counts up to it from $1", () => {
    expect(fill("Fix $1 then $2. All: $ARGUMENTS", "one", null)).toMatchObject({
      body: "Fix one then . All: one",
      text: "",
    });
    expect(fill("Fix $1.", "", null)).toMatchObject({ body: "Fix .", text: "" });
  });
  test("any other number that no word has stays: amounts, columns, what is escaped", () => {
    expect(fill("$1 costs $5", "one", null)).toMatchObject({ body: "one costs $5", text: "" });
    const shell = "awk '{print $2}' costs $2.50, ${1} $0 $10 $HOME $1st $$";
    expect(fill(shell, "", null).body).toBe(shell);
    expect(fill("awk '{print \\$1}' $2", "", null).body).toBe("awk '{print \\$1}' $2");
  });
  test("what is typed follows a body without placeholders", () => {
    expect(fill("Body.", "  do it ", null)).toEqual({ body: "Body.", text: "do it", problems: [] });
  });
});
