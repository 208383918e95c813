import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readFileTool } from "../tools/builtin/read-file.ts";
import { testRun } from "../tools/builtin/test-run.ts";
import { handedReport } from "./long-report.ts";

let workspace: string;
beforeEach(() => {
  workspace = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-report-")));
});
afterEach(() => fs.rmSync(workspace, { recursive: true }));

/** What is handed over before the note, and what `read_file` gives from the place on that the note names. */
async function read(report: string): Promise<{ readonly came: string; readonly rest: string }> {
  const given = handedReport(report, (whole) => {
    fs.writeFileSync(path.join(workspace, "report"), whole);
    return "report";
  });
  const note = /\n\(the report was longer; read_file report with offset (\d+) reads the rest\)$/.exec(given);
  if (note === null) throw new Error("nothing says where the rest is");
  expect(Buffer.byteLength(given)).toBeLessThanOrEqual(512 * 1024);
  const lines: string[] = [];
  for (let offset: number | undefined = Number(note[1]); offset !== undefined;) {
    const { output } = await readFileTool().run({ path: "report", offset }, testRun(workspace));
    const next = /\n\(more follows: go on with offset (\d+);.*\)$/.exec(output);
    for (const line of output.slice(0, next?.index).split("\n")) lines.push(line.replace(/^\d+\t/, ""));
    offset = next === null ? undefined : Number(next[1]);
  }
  return { came: given.slice(0, note.index), rest: lines.join("\n") };
}

test.each([
  ["one line", "x".repeat(600 * 1024)],
  ["a heading before one line", `# Report\n${"word ".repeat(130_000)}`],
  ["characters of two units and of three bytes", `# Report\n${"a😀漢".repeat(100_000)}`],
  ["a long line behind what fits", `${"short\n".repeat(80_000)}${"漢".repeat(200_000)}`],
])("of %s as much comes as has room, and the rest is read to its end", async (_, report) => {
  const { came, rest } = await read(report);
  const plain = (text: string): string => text.replaceAll("\n", "");
  expect(plain(came) + plain(rest)).toBe(plain(report));
  expect(Buffer.byteLength(came)).toBeGreaterThan(490 * 1024);
});
test("lines that read_file gives whole stay as they are", async () => {
  const report = Array.from({ length: 200 }, (_, index) => `${index} ${"y".repeat(3_990)}`).join("\n");
  const { came, rest } = await read(report);
  expect(`${came}\n${rest}`).toBe(report);
});
test("what has room comes as it is", () => {
  const report = `# Report\n${"x".repeat(400_000)}`;
  expect(handedReport(report, () => expect.unreachable())).toBe(report);
});
