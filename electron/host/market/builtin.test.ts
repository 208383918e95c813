import { expect, test } from "vitest";
import { loadFrontmatter } from "../kit/frontmatter.ts";
import { builtinEntries, builtinFiles } from "./builtin.ts";

const entries = builtinEntries();

test("the built-in catalog has servers and skills, each with what a card shows", () => {
  expect(entries.filter(({ kind }) => kind === "mcp").length).toBeGreaterThanOrEqual(10);
  expect(entries.filter(({ kind }) => kind === "skill").length).toBeGreaterThanOrEqual(3);
  for (const entry of entries) {
    expect(entry.summary, entry.id).toMatch(/^[A-Z0-9].{10,80}$/);
    expect(entry.author, entry.id).toBeTruthy();
    expect(entry.description.length, entry.id).toBeGreaterThan(40);
  }
});
test("every package is pinned to an exact version, the one that is shown", () => {
  for (const { id, install, version } of entries) {
    if (install.kind !== "stdio") continue;
    const packages = install.args.filter((arg) => /^@?[\w./-]+@\d/.test(arg));
    expect(packages, id).toHaveLength(1);
    expect(packages[0]?.split("@").at(-1), id).toBe(version);
    if (install.command === "npx") expect(install.args[0], id).toBe("-y");
  }
});
test("every variable in a header is asked for", () => {
  for (const { id, install, variables } of entries) {
    if (install.kind !== "remote") continue;
    const named = [...JSON.stringify(install).matchAll(/\$\{(\w+)\}/g)].map((match) => match[1]);
    expect(
      variables.map(({ key }) => key),
      id,
    ).toEqual(named);
  }
});
test.each(entries.filter(({ kind }) => kind === "skill").map(({ id }) => id))(
  "the skill %s is whole",
  async (id) => {
    const read = await loadFrontmatter();
    const files = builtinFiles(`skills/${id}`);
    const skill = read(
      files.find(({ path }) => path === "SKILL.md")?.text ?? "",
      new Set(["name", "description"]),
    );
    expect(skill).toMatchObject({ kind: "parsed", data: { name: id }, findings: [] });
    expect(skill.kind === "parsed" && skill.data["description"]).toMatch(/ Use when /);
    expect(files.every(({ text }) => text.trim() !== "")).toBe(true);
  },
);
test("a folder that is not there has no files", () => {
  expect(builtinFiles("skills/none")).toEqual([]);
  expect(builtinFiles("skills/code")).toEqual([]);
});
