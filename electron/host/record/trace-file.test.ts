import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { TraceRow } from "../../../shared/trace.ts";
import { TraceFile } from "./trace-file.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-trace-"));
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));
const row = (id: string): TraceRow => ({
  id,
  t: 1,
  kind: "tool",
  title: `row ${id}`,
  status: "completed",
  origin: "builtin",
});
const open = (): TraceFile => new TraceFile(path.join(folder, "s", "trace.jsonl"), (text) => text);
const ids = (file: TraceFile): string[] => file.rows().map(({ id }) => id);

describe("TraceFile", () => {
  it("gives every row in the file's order, also those that another process wrote between its own", () => {
    const [one, other] = [open(), open()];
    one.append(row("a"));
    other.append(row("b"));
    one.append(row("c"));
    expect(ids(one)).toEqual(["a", "b", "c"]);
    other.append(row("d"));
    expect(ids(one)).toEqual(["a", "b", "c", "d"]);
    expect(ids(other)).toEqual(["a", "b", "c", "d"]);
    one.close();
    other.close();
  });
  it("goes on behind what stood there", () => {
    const first = open();
    first.append(row("a"));
    first.close();
    const second = open();
    second.append(row("b"));
    expect(ids(second)).toEqual(["a", "b"]);
    second.close();
    expect(ids(open())).toEqual(["a", "b"]);
  });
});
