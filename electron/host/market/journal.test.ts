import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sha256 } from "../kit/files.ts";
import { Journal } from "./journal.ts";
import { entryHash } from "./placed.ts";

let root: string;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(tmpdir(), "nacre-journal-"));
});
afterEach(() => fs.rmSync(root, { recursive: true, force: true }));

const at = (name: string): string => path.join(root, name);
const put = (name: string, text: string): void => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
};
const removed: string[] = [];
const ports = {
  get locks() {
    return at("locks");
  },
  removeSecret: (name: string) => Promise.resolve(void removed.push(name)),
};
const begin = (): Journal => {
  fs.mkdirSync(at("staging"), { recursive: true });
  return Journal.begin(at("staging"), "x", at("receipts/x.json"));
};
/** What the next start of the app would do. */
const undoAtNextStart = async (): Promise<void> => {
  const journal = Journal.read(at("staging"));
  expect(journal?.isDone()).toBe(false);
  await journal?.undo(ports);
  // Cut off in between and done once more.
  await Journal.read(at("staging"))?.undo(ports);
};
const folder = {
  get staged() {
    return at("staging/files");
  },
  get target() {
    return at("skills/x");
  },
  get files() {
    return [{ path: at("skills/x/SKILL.md"), sha256: sha256("text") }];
  },
};

test("a folder that was not renamed yet is only staged: what stands at its place is somebody else's", async () => {
  put("staging/files/SKILL.md", "text");
  put("skills/x/SKILL.md", "text");
  await begin().note({ folder: { ...folder, placing: true } });
  await undoAtNextStart();
  expect(fs.readFileSync(at("skills/x/SKILL.md"), "utf8")).toBe("text");
  expect(fs.existsSync(at("staging/files"))).toBe(false);
});
test("a copy that was cut off is removed, and nothing else", async () => {
  put(".nacre-x.tmp/half", "te");
  put("skills/x/SKILL.md", "text");
  await begin().note({ folder: { ...folder, staged: at(".nacre-x.tmp"), placing: false } });
  fs.rmSync(at(".nacre-x.tmp"), { recursive: true });
  await undoAtNextStart();
  expect(fs.existsSync(at("skills/x/SKILL.md"))).toBe(true);
  put(".nacre-x.tmp/half", "te");
  await undoAtNextStart();
  expect(fs.existsSync(at(".nacre-x.tmp"))).toBe(false);
});
test("a folder that was renamed is taken away with the folders made for it", async () => {
  await begin().note({ folder: { ...folder, placing: true } }, [at("skills/x")]);
  put("skills/x/SKILL.md", "text");
  await undoAtNextStart();
  expect(fs.existsSync(at("skills"))).toBe(false);
});
test("a file that was changed meanwhile is kept beside", async () => {
  await begin().note({ folder: { ...folder, placing: true } }, [at("skills/x")]);
  put("skills/x/SKILL.md", "text, and more");
  await undoAtNextStart();
  expect(fs.readdirSync(at("skills/x"))).toEqual(["SKILL.md.kept"]);
});
test.each([
  ["a file that the install made goes with it", undefined, undefined],
  ["a map that the install made goes with it", '{ "a": 1 }', '{ "a": 1 }'],
  ["a map that was there stays", '{ "mcpServers": {} }', '{ "mcpServers": {} }'],
])("%s", async (_name, before, after) => {
  const value = { command: "x" };
  if (before !== undefined) put("mcp.json", before);
  const entry = { path: at("mcp.json"), pointer: ["mcpServers", "x"], sha256: entryHash(value) };
  const madeParent = before?.includes("mcpServers") !== true;
  await begin().note({ entry: { ...entry, madeFile: before === undefined, madeParent } });
  // Cut off before the write: nothing is there to be taken out.
  await Journal.read(at("staging"))?.undo(ports);
  expect(fs.existsSync(at("mcp.json")) ? fs.readFileSync(at("mcp.json"), "utf8") : undefined).toBe(before);
  put(
    "mcp.json",
    JSON.stringify({ ...(before === undefined ? {} : JSON.parse(before)), mcpServers: { x: value } }),
  );
  await undoAtNextStart();
  const left = fs.existsSync(at("mcp.json"))
    ? (JSON.parse(fs.readFileSync(at("mcp.json"), "utf8")) as unknown)
    : undefined;
  expect(left).toEqual(after === undefined ? undefined : JSON.parse(after));
});
test("another entry of the same name is left alone", async () => {
  put("mcp.json", '{ "mcpServers": { "x": { "command": "mine" } } }');
  const entry = { path: at("mcp.json"), pointer: ["mcpServers", "x"], sha256: entryHash({ command: "x" }) };
  await begin().note({ entry: { ...entry, madeFile: false, madeParent: false } });
  await undoAtNextStart();
  expect(fs.readFileSync(at("mcp.json"), "utf8")).toContain("mine");
});
test("secrets are forgotten", async () => {
  removed.splice(0);
  await begin().note({ secrets: ["mcp/x/TOKEN"] });
  await Journal.read(at("staging"))?.undo(ports);
  expect(removed).toEqual(["mcp/x/TOKEN"]);
});
