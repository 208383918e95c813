import { expect, test } from "vitest";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import { DiagnosticStore } from "./diagnostics.ts";

const diagnostic = (code: string): Diagnostic => ({ code, severity: "error", message: code });

test("a source replaces its own list, and only a change is told", () => {
  const store = new DiagnosticStore();
  const heard: string[][] = [];
  store.onChange.on((all) => heard.push(all.map(({ code }) => code)));
  store.set("config", [diagnostic("a"), diagnostic("b")]);
  store.set("skills", [diagnostic("c"), diagnostic("a")]);
  store.set("config", [diagnostic("a"), diagnostic("b")]);
  store.set("config", []);
  store.set("nobody", []);
  expect(heard).toEqual([
    ["a", "b"],
    ["a", "b", "c"],
    ["c", "a"],
  ]);
});
