import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Rule } from "../config/permission.ts";
import { modelCaller } from "../tools/tools.testkit.ts";
import type { Tool, ToolOutput, ToolRun } from "../tools/types.ts";
import { createSkills, type Skills } from "./skills.ts";
import { rule, SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
let skills: Skills;
beforeEach(async () => {
  world = new SkillWorld();
  world.skill(
    ".agents/skills/pdf",
    { name: "pdf", description: "Fills forms." },
    "# PDF\nRun scripts/fill.py.",
  );
  world.write(".agents/skills/pdf/scripts/fill.py", "print()");
  world.write(".agents/skills/flat.md", "---\nname: flat\ndescription: D.\n---\nFlat body");
  world.skill(".agents/skills/hidden", {
    name: "hidden",
    description: "D.",
    "disable-model-invocation": "true",
  });
  skills = createSkills(world.options());
  await skills.reload();
});
afterEach(() => world.remove());

const tool = (): Tool => {
  if (!skills.tool) throw new Error("no tool");
  return skills.tool;
};
const call = (
  input: Record<string, unknown>,
  rules: readonly Rule[] = [],
  kind: "model" | "user" = "model",
): Promise<ToolOutput> => {
  const run: ToolRun = {
    callId: "1",
    workspace: world.workspace,
    sessionId: null,
    confinement: null,
    caller: { ...modelCaller({ rules }), kind },
    onOutput: () => undefined,
    signal: new AbortController().signal,
  };
  return tool().run(input, run);
};

test("the whole skill, with its folder and its files", async () => {
  const folder = path.join(world.workspace, ".agents/skills/pdf");
  expect(await call({ name: "pdf" })).toEqual({
    isError: false,
    sandboxed: null,
    output: `<skill_content name="pdf">
<skill_resources>
Base folder: ${folder}
Relative paths in the instructions are relative to it.
Files, to be read with skill(name: "pdf", file: …):
- scripts/fill.py
</skill_resources>
<skill_instructions>
# PDF
Run scripts/fill.py.
</skill_instructions>
</skill_content>`,
  });
  world.settings = { ...world.settings, resourceListing: "none" };
  expect((await call({ name: "pdf" })).output).not.toContain("fill.py\n</skill_resources>");
});
test("at most fifty names, and how many more there are", async () => {
  for (let index = 0; index < 60; index++) world.write(`.agents/skills/pdf/pages/${index}.md`, "");
  const { output } = await call({ name: "pdf" });
  expect(output.match(/^- .*$/gm)).toHaveLength(50);
  expect(output).toContain("\n(11 more)\n</skill_resources>");
});
test("the text is read anew", async () => {
  world.skill(".agents/skills/pdf", { name: "pdf", description: "Fills forms." }, "Changed.");
  expect((await call({ name: "pdf" })).output).toContain("Changed.");
});
test("a file of the skill, and none of a flat one", async () => {
  expect(await call({ name: "pdf", file: "scripts/fill.py" })).toMatchObject({
    output: "print()",
    isError: false,
  });
  expect(await call({ name: "pdf", file: "scripts/none.py" })).toMatchObject({ isError: true });
  expect(await call({ name: "pdf", file: "../flat.md" })).toMatchObject({ isError: true });
  expect(await call({ name: "flat", file: "pdf/SKILL.md" })).toMatchObject({
    output: "the skill flat is a single file and has no files of its own",
    isError: true,
  });
  expect((await call({ name: "flat" })).output).toContain(
    `Base folder: ${path.join(world.workspace, ".agents/skills")}`,
  );
  expect((await call({ name: "flat" })).output).not.toContain("Files");
});
test.each([
  ["../x", "invalid name"],
  ["PDF", "invalid name"],
  ["a:b:c", "invalid name"],
  ["nothing", "unknown skill: nothing"],
  ["hidden", "/skill hidden"],
])("%s: %s", async (name, message) => {
  const result = await call({ name });
  expect(result).toMatchObject({ isError: true });
  expect(result.output).toContain(message);
});
test("a person may load what is hidden from the model", async () => {
  expect(await call({ name: "hidden" }, [], "user")).toMatchObject({ isError: false });
});
test("a denied skill is unknown to the model, by whatever name; a person hears the rule", async () => {
  const rules = [rule("p*", "deny")];
  expect(await call({ name: "pdf" }, rules)).toEqual({
    ...(await call({ name: "nothing" })),
    output: "unknown skill: pdf",
  });
  expect(tool().ruleDenial?.({ name: "pdf" })).toBe("unknown skill: pdf");
  expect((await call({ name: "pdf" }, rules, "user")).output).toContain(
    ' is denied by the permission rule "p*": "deny" in settings.json',
  );
  expect(await call({ name: "pdf" }, [rule("p*", "deny"), rule("pdf", "allow")])).toMatchObject({
    isError: false,
  });
});
test("gone since it was listed", async () => {
  fs.rmSync(path.join(world.workspace, ".agents/skills/pdf"), { recursive: true });
  expect((await call({ name: "pdf" })).output).toBe("the skill pdf is no longer available");
});
test("rules match both spellings of a plugin's skill", async () => {
  world.skill("p/form", { name: "form", description: "D." });
  skills.addRoot({ plugin: "docs", path: path.join(world.workspace, "p"), trusted: true });
  await skills.reload();
  expect(tool().touches?.({ name: "form" }, modelCaller())).toEqual({ names: ["docs:form", "form"] });
  expect(tool().touches?.({ name: "docs:form" }, modelCaller())).toEqual({ names: ["docs:form", "form"] });
  expect(tool().touches?.({ name: "pdf" }, modelCaller())).toEqual({ names: ["pdf"] });
  expect(tool().touches?.({ name: "other" }, modelCaller())).toEqual({ names: ["other"] });
  expect((await call({ name: "docs:form" }, [rule("form", "deny")])).output).toBe("unknown skill: docs:form");
});
test("rules are asked about the skill that the caller's conversation means, not about another one's own", async () => {
  world.skill("p/form", { name: "form", description: "D." });
  skills.addRoot({ plugin: "docs", path: path.join(world.workspace, "p"), trusted: true });
  await skills.reload();
  await skills.sessions.create("a", "form");
  const names = (sessionId: string | null) =>
    tool().touches?.({ name: "form" }, { ...modelCaller(), sessionId });
  expect(names("a")).toEqual({ names: ["form"] });
  expect(names("b")).toEqual({ names: ["docs:form", "form"] });
  expect(names(null)).toEqual({ names: ["docs:form", "form"] });
});
test("nobody has to be asked about what cannot be loaded", () => {
  const cannot = (name: string) => tool().cannot?.({ name }, modelCaller());
  expect(cannot("docs:secret")).toBe("unknown skill: docs:secret");
  expect(cannot("Bad Name")).toContain("invalid name");
  expect(cannot("hidden")).toContain("not for the model");
  expect(cannot("pdf")).toBeUndefined();
});
test("skills that are no files of this machine", async () => {
  skills.registry.register({
    name: "web",
    description: "D.",
    source: "custom",
    content: "Web body",
    resourceBase: { kind: "url", url: "https://x.test/web/" },
  });
  skills.registry.register({
    name: "vault",
    description: "D.",
    source: "custom",
    content: "Body",
    resourceBase: { kind: "opaque", description: "the vault" },
  });
  skills.registry.register({ name: "plain", description: "D.", source: "custom", content: "Body" });
  await skills.reload();
  expect((await call({ name: "web" })).output).toContain("Base URL: https://x.test/web/");
  expect((await call({ name: "web", file: "a" })).output).toContain("not on this machine");
  expect((await call({ name: "vault" })).output).toContain("Base: the vault");
  expect((await call({ name: "plain" })).output).toContain("This skill has no files.");
  expect(skills.rows().find(({ name }) => name === "web")).toMatchObject({
    id: "skill:custom/web",
    state: "on",
    path: "",
  });
});
test("the catalog stands in the description where it is placed there", () => {
  const offered = (): string => skills.offer([]).tool?.description ?? "";
  expect(offered()).not.toContain("<available_skills>");
  world.settings = { ...world.settings, placement: "tool" };
  expect(offered()).toContain("<skill><name>flat</name><description>D.</description></skill>");
  expect(offered()).not.toContain("hidden");
});

test("a question about a skill shows which one, and which file of it", async () => {
  const shown = (input: Record<string, unknown>) => tool().facts?.(input, { workspace: world.workspace });
  expect(await shown({ name: "pdf" })).toEqual([{ label: "skill", values: ["pdf"] }]);
  expect(await shown({ name: "pdf", file: "a.md" })).toEqual([{ label: "skill", values: ["pdf", "a.md"] }]);
});
