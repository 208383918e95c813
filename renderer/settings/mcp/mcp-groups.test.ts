import { expect, test } from "vitest";
import { mcpStates } from "../../../shared/mcp.ts";
import { mcpRow } from "../../fixtures.testing.ts";
import { firstToSee, mcpGroups, serverActions, serverLine } from "./mcp-groups.ts";

const rows = [
  mcpRow({ name: "a", scope: "plugin" }),
  mcpRow({ name: "b", scope: "user", state: "needs_setup", error: "not set: TOKEN" }),
  mcpRow({ name: "c", scope: "user", state: "failed", error: "exit 1", stderr: "401" }),
];

test("the user's own first, no empty group", () =>
  expect(mcpGroups(rows).map(({ scope, rows: own }) => [scope, own.length])).toEqual([
    ["user", 2],
    ["plugin", 1],
  ]));

test("what failed is looked at first, else what is first", () => {
  expect(firstToSee(rows)?.name).toBe("c");
  expect(firstToSee(rows.slice(0, 2))?.name).toBe("b");
  expect(firstToSee(rows.slice(0, 1))?.name).toBe("a");
  expect(firstToSee([])).toBeUndefined();
});

test("nothing can be started that waits or is off, and only what waits for approval is reviewed", () => {
  const starting = mcpStates.filter((state) => serverActions(state).some((one) => one.endsWith("start")));
  expect(starting).toEqual(["needs_setup", "ready", "failed", "exited", "stopped"]);
  expect(mcpStates.filter((state) => serverActions(state).includes("review"))).toEqual(["needs_approval"]);
});

test("under the name: the last word of standard error, the reason, else the command", () => {
  expect(rows.map(serverLine)).toEqual(["npx files", "not set: TOKEN", "401"]);
  expect(serverLine(mcpRow({ state: "failed", error: "no such program", stderr: "" }))).toBe(
    "no such program",
  );
});
