import { expect, test } from "vitest";
import { assertSafeFiles, validate } from "./validate.ts";

const good = "---\nname: x\ndescription: Does x.\n---\nBody\n";
const skill = (text: string): Promise<void> =>
  validate("x", { folder: { target: "/t/x", files: [{ path: "SKILL.md", text }] } });

test.each([
  "../evil",
  "a/../../evil",
  "/etc/passwd",
  "a//b",
  "./a",
  "a\\b",
  "C:x",
  "nul",
  "sub/CON.txt",
  "trailing.",
  "trailing ",
  "a\nb",
  "",
])("the name %j is refused", (path) => {
  expect(() => assertSafeFiles([{ path, text: "" }])).toThrow(/^not installed: /);
});
test("two names that are one on some disks are refused", () => {
  const twice = ["Readme.md", "README.md"].map((path) => ({ path, text: "" }));
  expect(() => assertSafeFiles(twice)).toThrow("two files named README.md");
  expect(() => assertSafeFiles([])).toThrow("no file");
  expect(() => assertSafeFiles([{ path: ".hidden/a b.txt", text: "" }])).not.toThrow();
});
test("a skill has to load", async () => {
  await expect(skill(good)).resolves.toBeUndefined();
  await expect(skill("no frontmatter")).rejects.toThrow("frontmatter");
  await expect(skill(good.replace("name: x", "name: y"))).rejects.toThrow("named y");
  await expect(skill(good.replace("Does x.", ""))).rejects.toThrow("no description");
  await expect(validate("x", { folder: { target: "/t", files: [{ path: "a", text: "" }] } })).rejects.toThrow(
    "no SKILL.md",
  );
});
test("a server has to be one", async () => {
  const server = (value: Record<string, unknown>): Promise<void> =>
    validate("x", { entry: { file: "/mcp.json", pointer: ["mcpServers", "x"], value } });
  await expect(server({ command: "npx", args: [] })).resolves.toBeUndefined();
  await expect(server({ command: "npx", url: "https://x" })).rejects.toMatchObject({ code: "invalid_input" });
});
