import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds, systemClock } from "../kit/clock.ts";
import { Blobs } from "./blobs.ts";
import { ConversationFile } from "./conversation-file.ts";
import type { LineBody } from "./lines.ts";

let folder: string;
let file: string;
const open: ConversationFile[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-record-"));
  file = path.join(folder, "main.jsonl");
});
afterEach(() => {
  for (const each of open.splice(0)) each.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
function conversation(): ConversationFile {
  const made = new ConversationFile(file, { blobs: new Blobs(folder), ids: createIds(), clock: systemClock });
  open.push(made);
  return made;
}
const user = (text: string): LineBody => ({ type: "user", text });
const texts = (made: ConversationFile): string[] =>
  made.lines().map((line) => (line.type === "user" ? line.text : line.type));

describe("ConversationFile", () => {
  it("makes no file before the first line", () => {
    const made = conversation();
    expect(made.lines()).toEqual([]);
    expect(fs.readdirSync(folder)).toEqual([]);
    made.append(user("a"));
    expect(fs.readdirSync(folder)).toEqual(["main.jsonl"]);
  });
  it("writes lines that another reader reads", () => {
    const made = conversation();
    const first = made.append({ type: "session", workspace: "/w", version: "1" });
    const second = made.append(user("line\nfeed 你好 \u2028"));
    expect(first.parent).toBeNull();
    expect(second.parent).toBe(first.id);
    expect(second.id > first.id).toBe(true);
    expect(fs.readFileSync(file, "utf8").split("\n")).toHaveLength(3);
    expect(conversation().lines()).toEqual([first, second]);
  });
  it("branches by head, also for the next reader", () => {
    const made = conversation();
    const first = made.append(user("a"));
    made.append(user("b"));
    made.append({ type: "head", leaf: first.id });
    made.append(user("c"));
    expect(texts(made)).toEqual(["a", "c"]);
    expect(texts(conversation())).toEqual(["a", "c"]);
  });
  it("reads on behind what another process wrote", () => {
    const one = conversation();
    const two = conversation();
    one.append(user("a"));
    expect(texts(two)).toEqual(["a"]);
    one.append(user("b"));
    two.append(user("c"));
    one.refresh();
    expect(texts(one)).toEqual(["a", "b", "c"]);
    expect(texts(two)).toEqual(["a", "b", "c"]);
  });
  it("passes over lines in the middle that cannot be read, and says so", () => {
    const made = conversation();
    made.append(user("a"));
    made.append(user("b"));
    made.append(user("c"));
    const lines = fs.readFileSync(file, "utf8").split("\n");
    lines[1] = '{"v":1,"broken';
    lines.splice(2, 0, '{"v":2,"id":"x","parent":null,"t":1,"type":"user","text":"later version"}', "\0\0\0");
    fs.writeFileSync(file, lines.join("\n"));
    const again = conversation();
    expect(texts(again)).toEqual(["a", "c"]);
    expect(again.diagnostics.map(({ line }) => line)).toEqual([2, 3, 4]);
    again.append(user("d"));
    expect(texts(conversation())).toEqual(["a", "c", "d"]);
  });
  it("moves a long output to a file of its own", () => {
    const blobs = new Blobs(folder);
    const made = new ConversationFile(file, { blobs, ids: createIds(), clock: systemClock });
    open.push(made);
    const text = "é".repeat(40_000);
    const line = made.append({
      type: "tool_result",
      callId: "1",
      output: { text },
      isError: false,
      durationMs: 1,
      decision: "allow",
      sandboxed: null,
    });
    if (line.type !== "tool_result") throw new Error("another line");
    expect(line.output.text).toBe("é".repeat(2048));
    expect(line.output.blob).toMatchObject({ bytes: 80_000 });
    expect(blobs.read(line.output.blob?.sha256 ?? "")).toBe(text);
    made.sync();
    expect(conversation().lines()).toEqual([line]);
    expect(fs.readdirSync(path.join(folder, "blobs"))).toEqual([line.output.blob?.sha256]);
  });
  it("says that a stored text is gone or damaged", () => {
    const blobs = new Blobs(folder);
    const { blob } = blobs.keep({ text: "x".repeat(70_000) });
    const name = blob?.sha256 ?? "";
    fs.appendFileSync(path.join(folder, "blobs", name), "y");
    expect(() => blobs.read(name)).toThrow("damaged");
    fs.rmSync(path.join(folder, "blobs", name));
    expect(() => blobs.read(name)).toThrow("gone");
    expect(() => blobs.read("../main.jsonl")).toThrow("no name of a stored text");
  });
  it.skipIf(process.platform === "win32")("neither reads nor writes through a link", () => {
    const victim = path.join(folder, "victim");
    fs.writeFileSync(victim, "keep\n");
    fs.symlinkSync(victim, file);
    expect(() => conversation().append(user("a"))).toThrow("it is a link");
    expect(fs.readFileSync(victim, "utf8")).toBe("keep\n");
  });
});

describe("a file that ends at any byte", () => {
  it("loses at most the torn line, and goes on", () => {
    const bodies = fc.array(
      fc.oneof(
        fc.string({ unit: "grapheme" }).map(user),
        fc
          .record({ text: fc.string(), reasoning: fc.string(), message: fc.constantFrom("m", "n") })
          .map((fields): LineBody => ({ type: "assistant", ...fields })),
      ),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(bodies, fc.nat(), (list, seed) => {
        fs.rmSync(file, { force: true });
        const made = conversation();
        const written = list.map((body) => made.append(body));
        made.close();
        const whole = fs.readFileSync(file);
        const end = seed % (whole.length + 1);
        fs.truncateSync(file, end);
        const kept = whole.subarray(0, end).toString("latin1").split("\n").length - 1;
        const again = conversation();
        expect(again.lines()).toEqual(written.slice(0, kept));
        expect(again.diagnostics).toEqual([]);
        const added = again.append(user("after"));
        expect(again.lines()).toEqual([...written.slice(0, kept), added]);
        again.close();
        expect(conversation().lines()).toEqual([...written.slice(0, kept), added]);
        expect(conversation().diagnostics).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
