import { afterAll, expect, it, vi } from "vitest";
import { takeLibraryWarnings } from "./library-warnings.ts";

const { warn } = console;
const written = vi.fn();
console.warn = written;
afterAll(() => void (console.warn = warn));

it("hears what the MCP library warns of, and leaves the console to everybody else", () => {
  const first: string[] = [];
  const last: string[] = [];
  takeLibraryWarnings((text) => first.push(text));
  takeLibraryWarnings((text) => last.push(text));
  console.warn("[mcp-sdk] no issuer", 7);
  console.warn("ours", 8);
  expect([first, last]).toEqual([[], ["no issuer 7"]]);
  expect(written.mock.calls).toEqual([["ours", 8]]);
});
