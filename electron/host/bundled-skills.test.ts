import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host } from "./host.ts";
import { validatePlugin } from "./plugins/validate.ts";
import type { SkillFields } from "./skills/head.ts";
import { loadSkillParser } from "./skills/parse-skill.ts";
import { validateSkill } from "./skills/validate.ts";

const source = path.join(import.meta.dirname, "../../resources/skills");
const names = fs.readdirSync(source).sort();
const read = (...parts: string[]): string => fs.readFileSync(path.join(source, ...parts), "utf8");
async function fieldsOf(text: string): Promise<SkillFields> {
  const { head } = (await loadSkillParser())(text, false);
  if (head.kind !== "fields") throw new Error(`no fields: ${JSON.stringify(head)}`);
  return head;
}

let world: World;
let host: Host | undefined;
beforeEach(() => {
  world = createWorld();
  // As the build lays them out, beside the entries.
  fs.cpSync(source, path.join(world.top, "dist/skills"), { recursive: true });
});
afterEach(async () => {
  await host?.stop();
  host = undefined;
  world.remove();
});
async function open(): Promise<Host> {
  const opened = (host = await createHost({
    workspace: world.workspace,
    env: process.env,
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: true,
    built: path.join(world.top, "dist"),
  }));
  await opened.start();
  return opened;
}

test("two of them: making a skill and making a plugin", () => {
  expect(names).toEqual(["create-plugin", "create-skill"]);
});
describe.each(names)("%s", (name) => {
  let opened: Host;
  beforeEach(async () => {
    opened = await open();
  });
  test("passes its own strict check, as do the skills that it holds", async () => {
    expect(await validateSkill(path.join(source, name))).toEqual([]);
  });
  test("is offered to the model in a few words, and not counted as the user's", async () => {
    expect(opened.skills.rows().find((row) => row.name === name)).toMatchObject({
      source: "bundled",
      scope: "bundled",
      state: "on",
      trusted: true,
      diagnostics: [],
    });
    expect(opened.skills.catalog().text).toContain(`- ${name}: `);
    expect(opened.summary()).toBe("no extensions");
    const { description = "" } = await fieldsOf(read(name, "SKILL.md"));
    expect(description.length).toBeLessThan(200);
  });
  test("names no file that it does not have", () => {
    const named = [...read(name, "SKILL.md").matchAll(/file: "([^"]+)"/g)].map(([, file = ""]) => file);
    const own = named.filter((file) => !["reference.md"].includes(file));
    expect(own.length).toBeGreaterThan(1);
    for (const file of own) expect(fs.existsSync(path.join(source, name, file)), file).toBe(true);
  });
  test("is switched off like every other", async () => {
    expect(await opened.skills.setEnabled(name, false)).toMatchObject({ state: "off" });
    expect(opened.skills.catalog().text).not.toContain(`- ${name}: `);
  });
});

test("the template of a skill is one that passes the strict check", async () => {
  await open();
  const file = world.write("ws/.agent/skills/release-notes/SKILL.md", read("create-skill", "template.md"));
  expect(await validateSkill(path.dirname(file))).toEqual([]);
});
test("every field that the page of fields names is read as it says", async () => {
  const block = /```yaml\n([\s\S]*?)```/.exec(read("create-skill", "fields.md"))?.[1] ?? "";
  expect(await fieldsOf(block)).toMatchObject({
    name: "deploy",
    needs: {
      tools: ["run_shell", "fetch_url"],
      arguments: { stage: { enum: ["test", "live"], required: true } },
    },
    findings: [],
  });
});
test("the template of a plugin is valid, waits for trust and then counts words through the one path", async () => {
  const template = path.join(source, "create-plugin/template");
  expect(validatePlugin(template)).toEqual([]);
  fs.cpSync(template, path.join(world.workspace, ".agent/plugins/word-count"), { recursive: true });
  world.write("ws/text.txt", "one two three\nfour");
  world.write("secret.txt", "outside");
  const opened = await open();
  expect(opened.plugins.rows()).toMatchObject([{ name: "word-count", state: "untrusted" }]);
  expect(opened.toolRows().map(({ name }) => name)).not.toContain("count_words");
  await opened.trustWorkspace(opened.declarations());
  await expect.poll(() => opened.toolRows().map(({ name }) => name)).toContain("count_words");
  const call = async (input: Record<string, string>) =>
    opened.callTool("count_words", input, new AbortController().signal);
  expect(await call({ file: "text.txt" })).toMatchObject({
    output: "4 words",
    isError: false,
    decision: "allow",
  });
  expect(await call({ text: "one two" })).toMatchObject({ output: "2 words" });
  expect(await call({ file: "../secret.txt" })).toMatchObject({
    isError: true,
    output: expect.stringContaining("lies outside the workspace"),
  });
  expect(await call({ words: "x" })).toMatchObject({ isError: true });
  expect(opened.skills.reader.find("count-words").entry.name).toBe("word-count:count-words");
});
