import { describe, expect, it } from "vitest";
import { aliasesOf, canonicalToolName } from "./aliases.ts";

describe("aliases", () => {
  it.each([
    ["shell", "run_shell"],
    ["shell.exec", "run_shell"],
    ["Bash", "run_shell"],
    ["fs.read", "read_file"],
    ["Read", "read_file"],
    ["fs.list", "list_dir"],
    ["LS", "list_dir"],
    ["fs.write", "write_file"],
    ["Write", "write_file"],
    ["patch.apply", "edit_file"],
    ["Edit", "edit_file"],
    ["MultiEdit", "edit_file"],
    ["search.ripgrep", "grep"],
    ["Grep", "grep"],
    ["Glob", "glob"],
    ["WebFetch", "fetch_url"],
    ["Task", "task"],
    ["Agent", "task"],
    ["Skill", "skill"],
    ["AskUserQuestion", "ask_user"],
  ])("%s = %s", (alias, name) => {
    expect(canonicalToolName(alias)).toBe(name);
    expect(aliasesOf(name)).toContain(alias);
  });
  it.each(["read_file", "bash", "mcp__git__Read", "toString", "__proto__", ""])("%j stays", (name) => {
    expect(canonicalToolName(name)).toBe(name);
  });
  it("knows nothing of what objects inherit", () => expect(aliasesOf("constructor")).toEqual([]));
});
