import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { validateSchema } from "../../../../shared/json-schema.ts";
import type { Tool, ToolOutput } from "../types.ts";
import { editFileTool } from "./edit-file.ts";
import { listDirTool } from "./list-dir.ts";
import { readFileTool } from "./read-file.ts";
import { testRun } from "./test-run.ts";
import { writeFileTool } from "./write-file.ts";

let workspace: string;
beforeEach(() => {
  workspace = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-files-")));
});
afterEach(() => fs.rmSync(workspace, { recursive: true }));
const make = (name: string, content: string | Buffer): void => {
  fs.mkdirSync(path.dirname(path.join(workspace, name)), { recursive: true });
  fs.writeFileSync(path.join(workspace, name), content);
};
const content = (name: string): string => fs.readFileSync(path.join(workspace, name), "utf8");
async function call(tool: Tool, input: Record<string, unknown>): Promise<ToolOutput> {
  expect(validateSchema(tool.inputSchema, input)).toEqual({ ok: true });
  return tool.run(input, testRun(workspace));
}

describe("read_file", () => {
  const read = async (input: Record<string, unknown>): Promise<string> =>
    (await call(readFileTool(), input)).output;
  it("numbers lines; CRLF, a byte order mark and a missing last line break make no difference", async () => {
    make("a", "\uFEFFone\r\ntwo\n\nfour");
    await expect(read({ path: "a" })).resolves.toBe("1\tone\n2\ttwo\n3\t\n4\tfour");
  });
  it("reads a part and says how to go on", async () => {
    make("a", "1\n2\n3\n4\n");
    await expect(read({ path: "a", offset: 2, limit: 2 })).resolves.toBe(
      "2\t2\n3\t3\n(more follows: go on with offset 4; the file has 8 bytes)",
    );
    await expect(read({ path: "a", offset: 3, limit: 2 })).resolves.toBe("3\t3\n4\t4");
  });
  it("says that an offset is behind the end, with the number of lines", async () => {
    make("a", "1\n2\n");
    await expect(read({ path: "a", offset: 3 })).rejects.toThrow(/a has only 2 lines; offset 3/);
  });
  it("keeps characters whole across the borders of pieces", async () => {
    const line = "é€😀".repeat(400);
    make("a", `${line}\n`.repeat(300));
    const output = await read({ path: "a", offset: 299, limit: 1 });
    expect(output.split("\n")[0]).toBe(`299\t${line}`);
  });
  it("cuts long lines and stops at 512 KB of whole lines", async () => {
    make("long", `${"x".repeat(10_000)}\nshort\n`);
    expect((await read({ path: "long" })).split("\n")).toEqual([
      `1\t${"x".repeat(4_000)} … (the line goes on)`,
      "2\tshort",
    ]);
    make("large", `${"y".repeat(1_000)}\n`.repeat(2_000));
    const output = await read({ path: "large" });
    expect(Buffer.byteLength(output)).toBeLessThanOrEqual(513 * 1024);
    const lines = output.split("\n");
    const next = Number(/offset (\d+); the file has 1.9 MB/.exec(lines.at(-1) ?? "")?.[1]);
    expect(lines.at(-2)).toBe(`${next - 1}\t${"y".repeat(1_000)}`);
  });
  it("names binary and empty files", async () => {
    make("logo.png", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0]));
    make("empty", "");
    await expect(read({ path: "logo.png" })).rejects.toThrow("logo.png is a binary file (7 bytes), not text");
    await expect(read({ path: "empty" })).resolves.toBe("(empty is empty)");
  });
  it("names a folder and what does not exist", async () => {
    make("src/a", "");
    await expect(read({ path: "src" })).rejects.toThrow("src is a folder, not a file");
    await expect(read({ path: "b" })).rejects.toThrow("b does not exist");
  });
  it("stops", async () => {
    make("a", "x\n".repeat(1_000));
    const stopped = testRun(workspace, { signal: AbortSignal.abort() });
    await expect(readFileTool().run({ path: "a" }, stopped)).rejects.toThrow(/abort/);
  });
});

describe("list_dir", () => {
  it("lists names by their bytes, marks folders and links, shows hidden ones", async () => {
    make("b/inner", "");
    make(".hidden", "");
    make("B", "");
    if (process.platform !== "win32") fs.symlinkSync("../elsewhere", path.join(workspace, "link"));
    const links = process.platform === "win32" ? "" : "\nlink -> ../elsewhere";
    expect((await call(listDirTool(), {})).output).toBe(`.hidden\nB\nb/${links}`);
    expect((await call(listDirTool(), { path: "b" })).output).toBe("inner");
  });
  it("says that a folder is empty, missing or a file", async () => {
    fs.mkdirSync(path.join(workspace, "empty"));
    make("file", "");
    expect((await call(listDirTool(), { path: "empty" })).output).toBe("(empty is an empty folder)");
    await expect(call(listDirTool(), { path: "none" })).rejects.toThrow("none does not exist");
    await expect(call(listDirTool(), { path: "file" })).rejects.toThrow(/file is (no|a file, not a) folder/);
  });
  it("names the total where it cuts", async () => {
    for (let i = 0; i < 1_003; i += 1) make(`f${String(i).padStart(4, "0")}`, "");
    const lines = (await call(listDirTool(), {})).output.split("\n");
    expect(lines.slice(-2)).toEqual(["f0999", "(1000 of 1003 names)"]);
  });
});

describe("write_file", () => {
  it("makes folders and the file, and tells what it did", async () => {
    const result = await call(writeFileTool(), { path: "a/b.txt", content: "one\ntwo" });
    expect(content("a/b.txt")).toBe("one\ntwo");
    expect(result.output).toBe("made a/b.txt (2 lines, 7 bytes)");
    expect(result.sandboxed).toBeNull();
    expect(result.diff).toContain("--- /dev/null\n+++ b/a/b.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n");
  });
  it("replaces, with the difference", async () => {
    make("a", "one\ntwo\n");
    const input = { path: "a", content: "one\n2\n" };
    const facts = await writeFileTool().facts?.(input, testRun(workspace));
    const result = await call(writeFileTool(), input);
    expect(result.output).toMatch(/^replaced a /);
    expect(result.diff).toBe("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n");
    expect(facts).toEqual([{ label: "diff", values: [result.diff] }]);
  });
  it("shows no difference to a binary file, and none where nothing changed", async () => {
    make("binary", Buffer.from([1, 0, 2]));
    make("same", "x");
    expect((await call(writeFileTool(), { path: "binary", content: "x" })).diff).toBeUndefined();
    expect((await call(writeFileTool(), { path: "same", content: "x" })).diff).toBeUndefined();
  });
  it("shows a rewritten file as replaced, and only the size of a huge difference", async () => {
    const lines = (word: string, count: number): string =>
      Array.from({ length: count }, (_, i) => `${word}${i}\n`).join("");
    make("a", lines("old", 1_500));
    const result = await call(writeFileTool(), { path: "a", content: lines("new", 1_200) });
    expect(result.diff).toContain("@@ -1,1500 +1,1200 @@\n-old0\n");
    const huge = await call(writeFileTool(), { path: "a", content: lines("x".repeat(50), 3_000) });
    expect(huge.diff).toMatch(/too large to show/);
  });
  it("names a folder in its place", async () => {
    make("a/b", "");
    await expect(call(writeFileTool(), { path: "a", content: "" })).rejects.toThrow(
      "a is a folder, not a file",
    );
  });
});

describe("edit_file", () => {
  const edit = (input: Record<string, unknown>): Promise<ToolOutput> =>
    call(editFileTool(), { path: "a", ...input });
  it("replaces the one place and gives the difference", async () => {
    make("a", "one\ntwo\nthree\n");
    const input = { path: "a", old_text: "two", new_text: "2" };
    const facts = await editFileTool().facts?.(input, testRun(workspace));
    const result = await call(editFileTool(), input);
    expect(content("a")).toBe("one\n2\nthree\n");
    expect(result.output).toBe("edited a at line 2");
    expect(result.diff).toBe("--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n");
    expect(facts).toEqual([{ label: "diff", values: [result.diff] }]);
  });
  it("keeps a byte order mark and CRLF, also in lines that it adds", async () => {
    make("a", "\uFEFFone\r\ntwo\r\nthree\r\n");
    await edit({ old_text: "one\ntwo", new_text: "one\n1.5\ntwo" });
    expect(content("a")).toBe("\uFEFFone\r\n1.5\r\ntwo\r\nthree\r\n");
  });
  it("writes LF where the file has LF", async () => {
    make("a", "one\ntwo\n");
    await edit({ old_text: "one\r\ntwo", new_text: "1\r\n2" });
    expect(content("a")).toBe("1\n2\n");
  });
  it("takes dollar signs as they are", async () => {
    make("a", "price: X\n");
    await edit({ old_text: "X", new_text: "$& $1 $$ $`" });
    expect(content("a")).toBe("price: $& $1 $$ $`\n");
  });
  it("names the lines where the text stands several times, and changes nothing", async () => {
    make("a", "x\ny\nx\nz x\n");
    await expect(edit({ old_text: "x", new_text: "w" })).rejects.toThrow(
      /3 times in a \(lines 1, 3, 4\).*replace_all/,
    );
    expect(content("a")).toBe("x\ny\nx\nz x\n");
    expect((await edit({ old_text: "x", new_text: "w", replace_all: true })).output).toBe(
      "edited a in 3 places",
    );
    expect(content("a")).toBe("w\ny\nw\nz w\n");
  });
  it("says what differs where the text is not there", async () => {
    make("a", "function f() {\n  return 1;\n}\n");
    await expect(edit({ old_text: "  function f() {\n    return 1;", new_text: "" })).rejects.toThrow(
      /not found in a; its first line stands at line 1/,
    );
    await expect(edit({ old_text: "nowhere", new_text: "" })).rejects.toThrow(
      /not found in a; read the file again/,
    );
  });
  it("refuses an empty text, no change, what is no text, and a file that is not there", async () => {
    make("a", "x");
    await expect(edit({ old_text: "", new_text: "y" })).rejects.toThrow(/old_text is empty/);
    await expect(edit({ old_text: "x", new_text: "x" })).rejects.toThrow(/nothing to change/);
    await expect(edit({ path: "b", old_text: "x", new_text: "" })).rejects.toThrow(
      /b does not exist; use write_file/,
    );
    make("a", Buffer.from([0x78, 0xff, 0x79]));
    await expect(edit({ old_text: "x", new_text: "y" })).rejects.toThrow(/no UTF-8 text/);
    expect(fs.readFileSync(path.join(workspace, "a"))).toEqual(Buffer.from([0x78, 0xff, 0x79]));
  });
});
