import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createIds, systemClock } from "../kit/clock.ts";
import type { LineBody } from "./lines.ts";
import type { SessionRecord } from "./session-record.ts";
import { SessionStore } from "./session-store.ts";

let folder: string;
let workspace: string;
let store: SessionStore;
const records: SessionRecord[] = [];
beforeEach(() => {
  folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-sessions-")));
  workspace = path.join(folder, "ws");
  fs.mkdirSync(workspace);
  store = makeStore();
});
afterEach(() => {
  for (const record of records.splice(0)) record.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
const makeStore = (): SessionStore =>
  new SessionStore({
    workspace,
    dataDir: path.join(folder, "data"),
    ids: createIds(),
    clock: systemClock,
    mask: (text) => text.replaceAll("hunter2", "***"),
  });
const kept = (record: SessionRecord): SessionRecord => {
  records.push(record);
  return record;
};
const create = (): SessionRecord => kept(store.create());
const ended: LineBody = {
  type: "turn_end",
  stopReason: "end",
  usage: { inputTokens: 1, outputTokens: 1 },
  steps: 1,
};
function begin(text: string, ...bodies: LineBody[]): SessionRecord {
  const record = create();
  record.append({ type: "session", workspace, version: "1" });
  record.append({ type: "user", text });
  for (const body of bodies) record.append(body);
  return record;
}

describe("SessionStore", () => {
  it("leaves no trace of a session in which nothing was said", () => {
    create();
    expect(fs.readdirSync(workspace)).toEqual([]);
    expect(store.list()).toEqual([]);
  });
  it("keeps one record of a session until it is let go; reading has its own", () => {
    const record = begin("hello");
    expect(store.open(record.id)).toBe(record);
    const reader = store.read(record.id);
    expect(reader).not.toBe(record);
    record.append(ended);
    expect(reader.lines()).toHaveLength(3);
    store.release(record.id);
    const again = kept(store.open(record.id));
    expect(again).not.toBe(record);
    expect(again.lines()).toHaveLength(3);
  });
  it("gives each sub-agent a transcript of its own, also before any of them has written", () => {
    const record = begin("hello");
    record.sub(1).append({ type: "user", text: "one" });
    store.release(record.id);
    const again = kept(store.open(record.id));
    const paths = [again.addSub(), again.addSub()].map((sub) => path.basename(sub.path));
    expect(paths).toEqual(["sub-2.jsonl", "sub-3.jsonl"]);
  });
  it("keeps sessions in the workspace, out of git", () => {
    const record = begin("hello");
    expect(record.dir).toBe(path.join(workspace, ".agent", "sessions", record.id));
    expect(fs.readFileSync(path.join(workspace, ".agent", "sessions", ".gitignore"), "utf8")).toBe("*\n");
    expect(kept(makeStore().open(record.id)).lines()).toEqual(record.lines());
  });
  it("keeps them in the data folder where the workspace cannot be written", () => {
    fs.writeFileSync(path.join(workspace, ".agent"), "a file stands here");
    const record = begin("hello");
    expect(path.relative(path.join(folder, "data"), record.dir)).toMatch(
      /^workspaces[\\/][0-9a-f]{16}[\\/]sessions[\\/]/,
    );
    expect(makeStore().list()).toHaveLength(1);
    expect(kept(makeStore().open(record.id)).lines()).toHaveLength(2);
  });
  it.each(["absent", "../x", "..", "", "a/b"])("has no session %j", (id) => {
    expect(() => store.open(id)).toThrow(expect.objectContaining({ code: "not_found" }) as Error);
  });
});

describe("the list", () => {
  it("is made of the lines where there is no meta.json", () => {
    const record = begin("  Fix\tthe bug\nplease", ended);
    const lines = record.lines();
    expect(store.list()).toEqual([
      {
        id: record.id,
        title: "Fix the bug",
        createdAt: new Date(lines[0]?.t ?? 0).toISOString(),
        updatedAt: new Date(lines.at(-1)?.t ?? 0).toISOString(),
        turns: 1,
        state: "idle",
      },
    ]);
    expect(record.row()).toEqual(store.list()[0]);
  });
  it("is made of meta.json while it tells of the whole transcript", async () => {
    const record = begin("hello", ended);
    await record.writeMeta({ ...record.row(), title: "Renamed" });
    expect(store.list()[0]?.title).toBe("Renamed");
    record.append({ type: "user", text: "more" });
    expect(store.list()[0]).toMatchObject({ title: "Renamed", turns: 2, state: "failed" });
    fs.writeFileSync(path.join(record.dir, "meta.json"), "{broken");
    expect(store.list()[0]).toMatchObject({ title: "hello", turns: 2 });
  });
  it("shows a turn that runs, and one that a crash ended", async () => {
    const record = begin("hello");
    const lock = await record.lock();
    expect(store.list()[0]?.state).toBe("running");
    await record.writeMeta({ ...record.row(), state: "waiting" });
    expect(store.list()[0]?.state).toBe("waiting");
    await lock.release();
    expect(store.list()[0]?.state).toBe("failed");
  });
  it("has the last changed first, and passes over what is no session", () => {
    const first = begin("one");
    const second = begin("two");
    fs.mkdirSync(path.join(workspace, ".agent", "sessions", "empty"));
    fs.writeFileSync(path.join(workspace, ".agent", "sessions", "file"), "");
    expect(store.list().map(({ id }) => id)).toEqual([second.id, first.id]);
  });
});

describe("SessionRecord", () => {
  it("keeps a sub-agent's lines in a file of their own", () => {
    const record = begin("hello");
    record.sub(1).append({ type: "user", text: "look" });
    record.sub(2).append({ type: "user", text: "plan" });
    expect(record.sub(1).lines()).toHaveLength(1);
    expect(fs.readdirSync(record.dir).sort()).toEqual(["main.jsonl", "sub-1.jsonl", "sub-2.jsonl"]);
    expect(record.lines()).toHaveLength(2);
  });
  it("keeps the trace masked and cut, the last row of an id", () => {
    const record = begin("hello");
    const row = {
      id: "1",
      t: 1,
      kind: "tool",
      title: "run_shell",
      status: "running",
      origin: "builtin",
    } as const;
    record.appendTrace({ ...row, input: "curl -H hunter2" });
    record.appendTrace({ ...row, id: "2" });
    record.appendTrace({ ...row, status: "completed", output: "x".repeat(10_000) });
    const again = kept(makeStore().open(record.id)).trace();
    expect(again).toEqual(record.trace());
    expect(again.map(({ id, status }) => [id, status])).toEqual([
      ["1", "completed"],
      ["2", "running"],
    ]);
    expect(again[0]?.output).toBe(`${"x".repeat(4096)}…`);
    expect(fs.readFileSync(path.join(record.dir, "trace.jsonl"), "utf8")).not.toContain("hunter2");
  });
  it("reads what another has added when it takes the lock, and cuts off what that one tore", async () => {
    const record = begin("hello");
    const other = kept(makeStore().open(record.id));
    other.append(ended);
    fs.appendFileSync(path.join(record.dir, "main.jsonl"), '{"v":1,"torn');
    const lock = await record.lock();
    expect(record.lines()).toHaveLength(3);
    record.append({ type: "user", text: "next" });
    await lock.release();
    const last = kept(makeStore().open(record.id));
    expect(last.lines()).toEqual(record.lines());
    expect(last.diagnostics).toEqual([]);
  });
});
