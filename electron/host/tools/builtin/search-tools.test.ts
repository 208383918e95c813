import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { validateSchema } from "../../../../shared/json-schema.ts";
import { childEnvironment } from "../../kit/environment.ts";
import type { Tool } from "../types.ts";
import { globTool } from "./glob.ts";
import { grepTool } from "./grep.ts";
import { testRun } from "./test-run.ts";

let root: string;
let workspace: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-search-")));
  workspace = path.join(root, "work");
  fs.mkdirSync(workspace);
});
afterEach(() => fs.rmSync(root, { recursive: true }));
const make = (name: string, text = ""): void => {
  fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
  fs.writeFileSync(path.join(workspace, name), text);
};
const environment = (): NodeJS.ProcessEnv => childEnvironment(process.env);
async function call(tool: Tool, input: Record<string, unknown>): Promise<string> {
  expect(validateSchema(tool.inputSchema, input)).toEqual({ ok: true });
  const { output, isError } = await tool.run(input, testRun(workspace));
  expect(isError).toBe(false);
  return output;
}
const glob = (input: Record<string, unknown>): Promise<string> => call(globTool(environment), input);
const grep = (input: Record<string, unknown>): Promise<string> =>
  call(grepTool({ environment, secretFolders: () => [path.join(workspace, "home", ".ssh")] }), input);

describe("glob", () => {
  it("finds files in every folder, hidden ones too, sorted", async () => {
    for (const name of ["b.ts", "src/a.ts", "src/deep/c.ts", ".github/x.ts", "a.js"]) make(name);
    await expect(glob({ pattern: "*.ts" })).resolves.toBe(".github/x.ts\nb.ts\nsrc/a.ts\nsrc/deep/c.ts");
    await expect(glob({ pattern: "src/*.ts" })).resolves.toBe("src/a.ts");
    await expect(glob({ pattern: "src/**/*.{ts,js}" })).resolves.toBe("src/a.ts\nsrc/deep/c.ts");
  });
  it("shows paths from the workspace when it looks in a folder", async () => {
    make("src/deep/c.ts");
    await expect(glob({ pattern: "*.ts", path: "src" })).resolves.toBe("src/deep/c.ts");
    await expect(glob({ pattern: "/c.ts", path: "src/deep" })).resolves.toBe("src/deep/c.ts");
  });
  it("leaves out what .gitignore hides, whatever the pattern says, also outside a repository", async () => {
    make(".gitignore", "*.log\nnode_modules\n");
    for (const name of ["a.log", "a.txt", "node_modules/x/a.txt", "sub/b.log"]) make(name);
    await expect(glob({ pattern: "*.log" })).resolves.toBe("no file fits *.log");
    await expect(glob({ pattern: "**" })).resolves.toBe(".gitignore\na.txt");
    await expect(glob({ pattern: "node_modules/**" })).resolves.toBe("no file fits node_modules/**");
  });
  it("does not look into .git, nor behind links", async () => {
    make(".git/config");
    fs.mkdirSync(path.join(root, "outside"));
    fs.writeFileSync(path.join(root, "outside", "secret.ts"), "");
    if (process.platform !== "win32") fs.symlinkSync("../outside", path.join(workspace, "link"));
    await expect(glob({ pattern: "**" })).resolves.toBe("no file fits **");
  });
  it("names the total where it cuts", async () => {
    for (let i = 0; i < 1_001; i += 1) make(`f${String(i).padStart(4, "0")}`);
    expect((await glob({ pattern: "*" })).split("\n").slice(-2)).toEqual(["f0999", "(1000 of 1001 files)"]);
  });
  it("says what is wrong with a pattern or a folder", async () => {
    make("file");
    await expect(glob({ pattern: "{a" })).rejects.toThrow(/error parsing glob '\{a'/);
    await expect(glob({ pattern: "*", path: "none" })).rejects.toThrow("none does not exist");
    await expect(glob({ pattern: "*", path: "file" })).rejects.toThrow(/folder/);
  });
  it("stops", async () => {
    const run = testRun(workspace, { signal: AbortSignal.abort() });
    await expect(globTool(environment).run({ pattern: "*" }, run)).rejects.toThrow(/abort/);
  });
});

describe("grep", () => {
  it("groups lines by file, sorted, with numbers", async () => {
    make("b.txt", "foo\nbar\nfoo: 2\r\n");
    make("src/a.txt", "x\nfoo\n");
    await expect(grep({ pattern: "fo+" })).resolves.toBe("b.txt\n1:foo\n3:foo: 2\n\nsrc/a.txt\n2:foo");
  });
  it("is no error where nothing matches", async () => {
    make("a", "x");
    await expect(grep({ pattern: "nothing" })).resolves.toBe("(no line matches)");
  });
  it("shows lines around, with gaps", async () => {
    make("a", "1\nfoo\n3\n4\n5\nfoo\n7\n");
    await expect(grep({ pattern: "foo", context: 1 })).resolves.toBe(
      "a\n1-1\n2:foo\n3-3\n--\n5-5\n6:foo\n7-7",
    );
  });
  it("keeps to a file, a folder, a glob; ignores case where asked", async () => {
    make("a.ts", "Foo\n");
    make("a.js", "foo\n");
    make("src/b.ts", "foo\n");
    await expect(grep({ pattern: "foo", path: "a.js" })).resolves.toBe("a.js\n1:foo");
    await expect(grep({ pattern: "foo", path: "src" })).resolves.toBe("src/b.ts\n1:foo");
    await expect(grep({ pattern: "foo", glob: "*.ts", ignore_case: true })).resolves.toBe(
      "a.ts\n1:Foo\n\nsrc/b.ts\n1:foo",
    );
  });
  it("leaves out what .gitignore hides, also where a glob names it", async () => {
    make(".gitignore", "*.log\n");
    make("a.log", "foo\n");
    make("a.txt", "foo\n");
    await expect(grep({ pattern: "foo" })).resolves.toBe("a.txt\n1:foo");
    await expect(grep({ pattern: "foo", glob: "a.*" })).resolves.toBe("a.txt\n1:foo");
  });
  it("shows no line of files with secrets, and says so; named as path they are searched", async () => {
    make(".env", "KEY=foo\n");
    make("home/.ssh/known", "foo\n");
    make("a", "foo\n");
    const output = await grep({ pattern: "foo" });
    expect(output).toBe(
      "a\n1:foo\n\n(not shown, may hold secrets: .env, home/.ssh/known; name one as path to search it)",
    );
    await expect(grep({ pattern: "foo", path: ".env" })).resolves.toBe(".env\n1:KEY=foo");
    await expect(grep({ pattern: "foo", path: "home/.ssh" })).resolves.toBe("home/.ssh/known\n1:foo");
  });
  it("takes patterns and names that look like options", async () => {
    make("-e", "--pre x\n");
    await expect(grep({ pattern: "--pre" })).resolves.toBe("-e\n1:--pre x");
    await expect(grep({ pattern: "--pre", path: "-e" })).resolves.toBe("-e\n1:--pre x");
  });
  it("never runs a program that a configuration file names", async () => {
    make("a", "foo\n");
    const canary = path.join(root, "canary");
    const script = path.join(root, "pre.sh");
    fs.writeFileSync(script, `#!/bin/sh\ntouch ${canary}\ncat "$1"\n`, { mode: 0o755 });
    fs.writeFileSync(path.join(root, "rg.conf"), `--pre=${script}\n`);
    const steered = (): NodeJS.ProcessEnv => ({
      ...environment(),
      RIPGREP_CONFIG_PATH: path.join(root, "rg.conf"),
    });
    await call(grepTool({ environment: steered, secretFolders: () => [] }), { pattern: "foo" });
    expect(fs.existsSync(canary)).toBe(false);
  });
  it("cuts at the limit and names the total", async () => {
    make("a", "foo\n".repeat(300));
    make("b", "foo\n".repeat(5));
    const output = await grep({ pattern: "foo" });
    expect(output.split("\n\n").at(-1)).toBe("(200 of 305 matching lines in 2 files)");
    expect(output.split("\n").filter((line) => line.endsWith(":foo"))).toHaveLength(200);
    expect((await grep({ pattern: "foo", limit: 302 })).split("\n\n")[1]).toBe("b\n1:foo\n2:foo");
  });
  it("ends a search that finds too much", async () => {
    make("a", "foo\n".repeat(30_000));
    expect(await grep({ pattern: "foo" })).toMatch(/\(200 of more than 20000 matching lines in 1 file\)$/);
  });
  it("cuts long lines", async () => {
    make("a", `${"x".repeat(5_000)}foo\n`);
    expect((await grep({ pattern: "foo" })).length).toBeLessThan(1_200);
  });
  it("says what is wrong with an expression or a path", async () => {
    make("a", "x");
    await expect(grep({ pattern: "(" })).rejects.toThrow(/regex parse error[^]*unclosed group/);
    await expect(grep({ pattern: "x", path: "none" })).rejects.toThrow("none does not exist");
  });
});
