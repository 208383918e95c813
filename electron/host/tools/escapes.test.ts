import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, createBench } from "./tools.testkit.ts";

const posix = process.platform !== "win32";
let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.stop());

/** Every file below a folder with its content, links not followed. */
function snapshot(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath, entry.name);
    found[path.relative(folder, file)] = entry.isFile()
      ? fs.readFileSync(file, "utf8")
      : entry.isSymbolicLink()
        ? fs.readlinkSync(file)
        : "";
  }
  return found;
}

describe("a neighbour whose name begins like the workspace's", () => {
  it.each(["../work-evil/a", "sub/../../work-evil/a", "./../work-evil/a"])("%s is outside", async (name) => {
    fs.mkdirSync(path.join(bench.root, "work-evil"));
    const result = await bench.call("write_file", { path: name, content: "x" });
    expect(result).toMatchObject({ isError: true, decision: "deny" });
    expect(fs.readdirSync(path.join(bench.root, "work-evil"))).toEqual([]);
  });
});

describe.runIf(posix)("links", () => {
  it("are followed before anything is decided, for files and folders that do not exist yet too", async () => {
    fs.mkdirSync(path.join(bench.root, "outside"));
    fs.writeFileSync(path.join(bench.root, "outside", "secret"), "secret");
    fs.symlinkSync("../outside", path.join(bench.workspace, "folder"));
    fs.symlinkSync("../outside/new", path.join(bench.workspace, "file"));
    for (const [tool, input] of [
      ["write_file", { path: "folder/a", content: "x" }],
      ["write_file", { path: "folder/deep/er/a", content: "x" }],
      ["write_file", { path: "file", content: "x" }],
      ["edit_file", { path: "folder/secret", old_text: "s", new_text: "x" }],
      ["read_file", { path: "folder/secret" }],
      ["list_dir", { path: "folder" }],
      ["glob", { pattern: "*", path: "folder" }],
      ["grep", { pattern: "s", path: "folder/secret" }],
    ] as const) {
      const result = await bench.call(tool, input);
      expect([tool, result.isError, result.decision]).toEqual([tool, true, "deny"]);
      expect(result.output).not.toContain("secret\n");
    }
    expect(snapshot(path.join(bench.root, "outside"))).toEqual({ secret: "secret" });
  });
  it("inside the workspace work as they should", async () => {
    fs.mkdirSync(path.join(bench.workspace, "real"));
    fs.symlinkSync("real", path.join(bench.workspace, "link"));
    expect((await bench.call("write_file", { path: "link/a", content: "x" })).isError).toBe(false);
    expect(fs.readFileSync(path.join(bench.workspace, "real", "a"), "utf8")).toBe("x");
    fs.symlinkSync("real/a", path.join(bench.workspace, "alias"));
    expect((await bench.call("write_file", { path: "alias", content: "y" })).isError).toBe(false);
    expect(fs.lstatSync(path.join(bench.workspace, "alias")).isSymbolicLink()).toBe(true);
    expect(fs.readFileSync(path.join(bench.workspace, "real", "a"), "utf8")).toBe("y");
  });
  it("never lead a write out, in whatever trees", async () => {
    const name = fc.constantFrom("a", "b", "A", "c.", "..");
    const target = fc
      .array(fc.constantFrom("a", "b", "..", ".", "work", "outside"), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join("/"));
    const step = fc.record({ at: fc.array(name, { minLength: 1, maxLength: 3 }), link: fc.option(target) });
    const written = fc.array(fc.constantFrom("a", "b", "A", "c.", "..", "work", "outside", "."), {
      minLength: 1,
      maxLength: 5,
    });
    fs.mkdirSync(path.join(bench.root, "outside"));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), written, async (steps, parts) => {
        fs.rmSync(bench.workspace, { recursive: true });
        fs.mkdirSync(bench.workspace);
        for (const { at, link } of steps) {
          const file = path.join(bench.workspace, ...at);
          if (!file.startsWith(bench.workspace + path.sep) || fs.existsSync(file)) continue;
          try {
            if (fs.realpathSync(path.dirname(file)).startsWith(bench.workspace) === false) continue;
            if (link === null) fs.mkdirSync(file);
            else fs.symlinkSync(link, file);
          } catch {
            // The folder above is not there in this tree: one step less.
          }
        }
        const before = snapshot(bench.root);
        const result = await bench.call("write_file", { path: parts.join("/"), content: "x" });
        const after = snapshot(bench.root);
        const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
        expect(changed.every((file) => file.startsWith(`work${path.sep}`))).toBe(true);
        if (result.isError) expect(changed).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("what would change the app's own rules", () => {
  it.each([
    ".agent/mcp.json",
    ".agent/plugins/x/plugin.json",
    ".claude/settings.json",
    ".git/hooks/pre-commit",
    "sub/.git/config",
    ".mcp.json",
    ".KAIROX/config.toml",
  ])("%s is asked for, and headless denied", async (name) => {
    const asked = bench.call("write_file", { path: name, content: "{}" }, { caller: { canAsk: true } });
    const view = await bench.answer({ choice: "deny" });
    expect(view.because.map(({ code }) => code)).toContain("protected_folder");
    expect(view).toMatchObject({ careful: true, rule: null });
    await asked;
    const policy = { allow: ["write_file", "write_file:*", "*"] };
    expect((await bench.call("write_file", { path: name, content: "{}" }, { policy })).decision).toBe("deny");
    expect(fs.existsSync(path.join(bench.workspace, name))).toBe(false);
    const exact = await bench.call(
      "write_file",
      { path: name, content: "{}" },
      { policy: { allow: [`write_file:${name}`] } },
    );
    expect(exact).toMatchObject({ isError: false, decision: "asked_allow" });
  });
});

/** Commands that classifiers elsewhere took for harmless (GHSA-g8r9-g2v8-jv6f and its kind). */
const bypasses = [
  "ls",
  "cat README.md",
  "echo $(touch canary)",
  "echo `touch canary`",
  "git log --output=canary",
  "git -c core.pager='touch canary' log",
  "git diff --ext-diff",
  "find . -exec touch canary ;",
  "find . -fprint canary",
  "sort -o canary /dev/null",
  "sed -n 'w canary' README.md",
  "awk 'BEGIN{system(\"touch canary\")}'",
  "env touch canary",
  "xargs touch <<< canary",
  "tar --checkpoint-action=exec='touch canary' -cf /dev/null .",
  "rg --pre 'touch canary' x",
  "less +'!touch canary' README.md",
  "${IFS}touch${IFS}canary",
  "echo ${x:=$(touch canary)}",
  "echo ${var@P}",
  "printf '%s' x > canary",
  ": > canary",
  "true && touch canary",
  "true; touch canary",
  "true | tee canary",
  "true\ntouch canary",
  "$'touch' canary",
  "t''ouch canary",
  "\\touch canary",
  "(touch canary)",
  "{ touch canary; }",
  "if true; then touch canary; fi",
  "x=touch; $x canary",
  "eval touch canary",
  ". ./script",
  "sh -c 'touch canary'",
  'python3 -c \'open("canary","w")\'',
  'node -e \'require("fs").writeFileSync("canary","")\'',
  "curl -o canary file:///dev/null",
  "man -P 'touch canary' ls",
];
describe("no command is taken for harmless by its look", () => {
  it.each(bypasses)("%s", async (command) => {
    expect(await bench.call("run_shell", { command })).toMatchObject({ decision: "deny", sandboxed: null });
    const policy = { sandbox: "read_only" as const };
    expect(await bench.call("run_shell", { command }, { policy })).toMatchObject({
      decision: "deny",
      by: "policy",
    });
    const asked = bench.call("run_shell", { command }, { caller: { canAsk: true } });
    expect((await bench.answer({ choice: "deny" })).facts[0]).toEqual({
      label: "command",
      values: [command],
    });
    await asked;
    expect(fs.existsSync(path.join(bench.workspace, "canary"))).toBe(false);
  });
});
