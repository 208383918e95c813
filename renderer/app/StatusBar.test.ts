import { expect, test } from "vitest";
import type { DeclarationRow } from "../../shared/workspace.ts";
import { mountApp } from "../mount.testing.ts";
import StatusBar from "./StatusBar.vue";

const waiting: DeclarationRow = {
  id: "mcp:workspace/db",
  kind: "mcp",
  name: "db",
  path: ".mcp.json",
  runs: [],
  state: "untrusted",
};
const shown = (trusted: boolean, declarations: readonly DeclarationRow[]): string =>
  mountApp(StatusBar, { view: { trust: { trusted, waiting: declarations } } }).wrapper.text();

test("trust is told where something waits or the folder is trusted", () => {
  expect(shown(true, [])).toContain("Trusted");
  expect(shown(false, [waiting])).toContain("Untrusted");
  expect(shown(false, [])).not.toMatch(/trusted/i);
});
