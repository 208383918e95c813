import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { SkillRow } from "../../shared/extension-rows.ts";
import { withSkillRows } from "../../shared/skill-rows.ts";
import type { WorkspaceEvent } from "../../shared/workspace.ts";
import { ToldSkills } from "./told-skills.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const row = (id: number, description = ""): SkillRow => ({
  id: `skill:a/${id}`,
  name: `skill-${id}`,
  description,
  source: "a",
  scope: "user",
  path: `/a/${id}`,
  state: "on",
  trusted: true,
  diagnostics: [],
  rank: 1,
});
const rowsOf = (count: number): SkillRow[] => Array.from({ length: count }, (_, id) => row(id));

/** A host with windows at it, each as it sees the list. */
class Windows {
  rows: readonly SkillRow[] = [];
  readonly events: Extract<WorkspaceEvent, { type: "skills" }>[] = [];
  readonly lists: (readonly SkillRow[])[] = [];
  readonly logged: string[] = [];
  /** Is called before rows are made and before an event goes out. */
  fail: (at: "rows" | "publish") => void = () => undefined;
  readonly told = new ToldSkills({
    log: { error: (message) => void this.logged.push(message) },
    count: () => this.rows.length,
    rows: (from, until) => {
      this.fail("rows");
      return this.rows.slice(from, until);
    },
    publish: (event) => {
      this.fail("publish");
      this.events.push(event);
      this.lists.forEach((list, at) => (this.lists[at] = withSkillRows(list, event)));
    },
  });
  open(): void {
    this.lists.push(this.told.snapshot());
  }
  change(rows: readonly SkillRow[]): void {
    this.rows = rows;
    this.told.changed();
  }
}

test("few skills are in the snapshot, and nothing follows", () => {
  const windows = new Windows();
  windows.rows = rowsOf(500);
  windows.open();
  vi.runAllTimers();
  expect(windows.lists[0]).toEqual(windows.rows);
  expect(windows.events).toEqual([]);
});
test("of thousands a snapshot has the first, and the others follow in parts", () => {
  const windows = new Windows();
  windows.rows = rowsOf(5_000);
  windows.open();
  expect(windows.lists[0]).toHaveLength(500);
  vi.runAllTimers();
  expect(windows.lists[0]).toEqual(windows.rows);
  expect(Math.max(...windows.events.map(({ rows }) => rows.length))).toBe(250);
});
test("after a change only what is different is told", () => {
  const windows = new Windows();
  windows.rows = rowsOf(5_000);
  windows.open();
  vi.runAllTimers();
  windows.events.length = 0;
  windows.change(rowsOf(5_000).with(3_000, row(3_000, "new")));
  vi.runAllTimers();
  expect(windows.events).toEqual([{ type: "skills", at: 3_000, rows: [row(3_000, "new")], total: 5_000 }]);
  windows.events.length = 0;
  windows.change(rowsOf(5_000).with(3_000, row(3_000, "new")));
  vi.runAllTimers();
  expect(windows.events).toEqual([]);
  windows.change(rowsOf(4_999).with(3_000, row(3_000, "new")));
  vi.runAllTimers();
  expect(windows.events).toEqual([{ type: "skills", at: 4_999, rows: [], total: 4_999 }]);
});
test("a finding or a rule that is another one is a change", () => {
  const windows = new Windows();
  const finding = { code: "x", severity: "warning", message: "m" } as const;
  windows.rows = [{ ...row(0), diagnostics: [finding] }, row(1)];
  windows.open();
  windows.change([{ ...row(0), diagnostics: [{ ...finding }] }, row(1)]);
  vi.runAllTimers();
  expect(windows.events).toEqual([]);
  const other = [
    { ...row(0), diagnostics: [{ ...finding, line: 2 }] },
    { ...row(1), rule: { pattern: "*", answer: "ask", source: "settings" } as const },
  ];
  windows.change(other);
  vi.runAllTimers();
  expect(windows.lists[0]).toEqual(other);
});
test("whoever comes and whatever changes meanwhile, every window ends with the list as it is", () => {
  const list = fc
    .array(fc.integer({ min: 0, max: 3_000 }), { maxLength: 8 })
    .map((cuts) => rowsOf(1_600).filter((_, id) => !cuts.some((cut) => id >= cut && id < cut + 150)));
  const step = fc.oneof(
    list.map((rows) => (windows: Windows) => windows.change(rows)),
    fc.nat(1_599).map((at) => (windows: Windows) => {
      if (at < windows.rows.length) windows.change(windows.rows.with(at, row(at, "changed")));
    }),
    fc.constant((windows: Windows) => windows.open()),
    fc.integer({ min: 0, max: 100 }).map((ms) => () => vi.advanceTimersByTime(ms)),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const windows = new Windows();
      windows.rows = rowsOf(1_200);
      windows.open();
      for (const one of steps) one(windows);
      vi.runAllTimers();
      for (const seen of windows.lists) expect(seen).toEqual(windows.rows);
    }),
    { numRuns: 60 },
  );
});
test("skills that go and are back before all of the change was told", () => {
  const windows = new Windows();
  windows.rows = rowsOf(3_000);
  windows.open();
  vi.runAllTimers();
  windows.change(rowsOf(3_000).slice(1_000));
  vi.advanceTimersByTime(5);
  expect(windows.lists[0]).toHaveLength(2_000);
  windows.change(rowsOf(3_000));
  vi.runAllTimers();
  expect(windows.lists[0]).toEqual(windows.rows);
});
test("after the end nothing is told", () => {
  const windows = new Windows();
  windows.rows = rowsOf(2_000);
  windows.open();
  windows.told.stop();
  vi.runAllTimers();
  expect(windows.events).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});
test.each(["rows", "publish"] as const)(
  "where %s fails nobody ends, the log has it, and the next change tells all that is not known",
  (where) => {
    const windows = new Windows();
    windows.rows = rowsOf(1_200);
    windows.open();
    let calls = 0;
    windows.fail = (at) => {
      calls += at === where ? 1 : 0;
      if (at === where && calls === 2) throw new Error("the disk is gone");
    };
    vi.runAllTimers();
    expect(windows.logged).toHaveLength(1);
    windows.change(windows.rows);
    vi.runAllTimers();
    expect(windows.lists[0]).toEqual(windows.rows);
    expect(windows.logged).toHaveLength(1);
  },
);
