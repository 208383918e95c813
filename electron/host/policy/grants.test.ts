import { expect, test } from "vitest";
import { Grants } from "./grants.ts";

test("a grant is spent once", () => {
  const grants = new Grants<{ name: string }>();
  const id = grants.make({ name: "x" }, "digest");
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(grants.spend(id)).toEqual({ payload: { name: "x" }, digest: "digest" });
  expect(() => grants.spend(id)).toThrow(expect.objectContaining({ code: "denied" }));
  expect(() => grants.spend("guess")).toThrow(/look again/);
});
test("a grant is gone after ten minutes", () => {
  let now = 0;
  const grants = new Grants<number>({ now: () => now });
  const id = grants.make(1, "d");
  const other = grants.make(2, "d");
  now = 10 * 60_000 - 1;
  expect(grants.spend(id).payload).toBe(1);
  now++;
  expect(() => grants.spend(other)).toThrow(expect.objectContaining({ code: "denied" }));
});
test("many unspent grants do not pile up: the oldest go", () => {
  const grants = new Grants<number>();
  const ids = Array.from({ length: 300 }, (_none, index) => grants.make(index, "d"));
  expect(() => grants.spend(ids[0] ?? "")).toThrow();
  expect(grants.spend(ids[299] ?? "").payload).toBe(299);
});
