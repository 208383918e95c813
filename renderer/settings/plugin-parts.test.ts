import { expect, test } from "vitest";
import { contribution, pluginRow } from "./fixtures.testing.ts";
import { canSwitch, contributionGroups, permissionLines, wholeSwitch } from "./plugin-parts.ts";

const parts = [
  contribution({ name: "a", enabled: false, state: "off" }),
  contribution({ name: "b" }),
  contribution({ name: "notes", kind: "skill" }),
];

test("contributions stand by kind, skills first, with how many are on", () => {
  expect(contributionGroups(parts).map(({ kind, rows, on }) => [kind, rows.length, on])).toEqual([
    ["skill", 1, 1],
    ["tool", 2, 1],
  ]);
});

test.each([
  [pluginRow(), true],
  [pluginRow({ contributions: parts }), "mixed"],
  [pluginRow({ state: "off", contributions: parts }), false],
  [pluginRow({ state: "untrusted" }), true],
  [pluginRow({ state: "invalid" }), false],
  [pluginRow({ contributions: [] }), true],
])("the whole switch of $state", (row, checked) => expect(wholeSwitch(row)).toBe(checked));

test("what cannot load cannot be switched", () => {
  expect(canSwitch({ state: "invalid" })).toBe(false);
  expect(canSwitch({ state: "incompatible" })).toBe(true);
});

test.each([
  [undefined, []],
  [
    { network: ["api.github.com", "*.npmjs.org"], write: false },
    ["network: api.github.com, *.npmjs.org", "write: false"],
  ],
  ["read", [": read"]],
  [["read", "net"], [": read, net"]],
  [{ fs: { write: ["out"] } }, ['fs: {"write":["out"]}']],
])("permissions %j", (permissions, lines) =>
  expect(permissionLines(permissions).map(({ key, value }) => `${key}: ${value}`)).toEqual(lines),
);
