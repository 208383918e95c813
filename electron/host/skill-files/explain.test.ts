import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const explain = (name: string) => managed.call("skills.explain", { name });
const settings = (value: unknown): string =>
  managed.world.write("config/settings.json", JSON.stringify(value));
/** `code detail` of each reason of the candidates, best first. */
const reasons = async (name: string): Promise<string[][]> =>
  (await explain(name)).verdicts.map((verdict) =>
    verdict.reasons.map(({ code, detail, source }) => [code, detail, source].filter(Boolean).join(" ")),
  );

test("one that is on is offered and may be loaded by name", async () => {
  managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  expect(await explain("pdf")).toMatchObject({
    verdicts: [{ offered: true, invocable: true, reasons: [{ code: "on" }] }],
    reasons: [],
    diagnostics: [],
  });
});
test("the loser of a name is told by which path it is shadowed", async () => {
  const winner = managed.skill("pdf");
  managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  expect(await reasons("pdf")).toEqual([["on", "workspace_untrusted"], [`shadowed ${winner}`]]);
  expect((await explain("pdf")).verdicts[1]).toMatchObject({ offered: false, invocable: false });
});
test("the rule that decides is named with its answer and where it stands", async () => {
  settings({ permission: { skill: { "*": "ask", "lark-*": "deny" } } });
  managed.skill("lark-doc", { root: "config/skills" });
  managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  expect(await reasons("lark-doc")).toEqual([["denied lark-*: deny settings"]]);
  expect((await explain("lark-doc")).verdicts[0]).toMatchObject({ offered: false, invocable: false });
  expect(await reasons("pdf")).toEqual([["on", "asks *: ask settings"]]);
});
test("a skill that is switched off, and one in a root that is, are told with the switch", async () => {
  managed.skill("quiet", { root: "config/skills" });
  const hidden = managed.skill("hidden");
  await managed.open();
  await managed.host.setSwitch(managed.id("quiet"), false);
  await managed.host.setSwitch("skills:project-nacre", false);
  await managed.host.reload("skills");
  expect(await reasons("quiet")).toEqual([["off skill:user-nacre/quiet"]]);
  expect(await explain("hidden")).toMatchObject({
    verdicts: [],
    reasons: [{ code: "root_off", source: "project-nacre", detail: hidden }],
  });
});
test("what is hidden from the model is for people, and the other way round", async () => {
  managed.skill("mine", { root: "config/skills", fields: { "disable-model-invocation": "true" } });
  managed.skill("its", { root: "config/skills", fields: { "user-invocable": "false" } });
  await managed.open();
  expect((await explain("mine")).verdicts[0]).toMatchObject({
    offered: false,
    invocable: true,
    reasons: [{ code: "on" }, { code: "hidden_from_model" }],
  });
  expect((await explain("its")).verdicts[0]).toMatchObject({
    offered: true,
    invocable: false,
    reasons: [{ code: "on" }, { code: "not_invocable" }],
  });
});
test("a file that does not load is told with its fault, the line and the fix", async () => {
  const file = managed.world.write("ws/.agent/skills/broken/SKILL.md", "---\nname: broken\n---\nBody.\n");
  await managed.open();
  const { verdicts, diagnostics } = await explain("broken");
  expect(verdicts).toMatchObject([{ row: { state: "invalid" }, offered: false, invocable: false }]);
  expect(verdicts[0]?.reasons[0]).toMatchObject({
    code: "invalid",
    detail: expect.stringContaining("description is missing"),
  });
  const fix = expect.stringContaining("add a description") as unknown;
  expect(diagnostics).toMatchObject([{ path: file, code: "skill-description-missing", fix }]);
});
test("a name that nobody has is unknown, with the nearest one that somebody has", async () => {
  managed.skill("release-notes");
  await managed.open();
  expect(await explain("relaese-notes")).toMatchObject({
    verdicts: [],
    reasons: [{ code: "unknown", detail: "release-notes" }],
  });
  expect((await explain("zebra")).reasons).toEqual([{ code: "unknown" }]);
});
test("what was meant as a skill and is none is found by its name: another case, a loose file, a link to nothing", async () => {
  fs.mkdirSync(managed.at("ws/.agent/skills/lower"), { recursive: true });
  fs.writeFileSync(managed.at("ws/.agent/skills/lower/skill.md"), "---\nname: lower\ndescription: D.\n---\n");
  fs.writeFileSync(managed.at("ws/.agent/skills/loose.md"), "---\nname: loose\ndescription: D.\n---\n");
  fs.writeFileSync(managed.at("ws/.agent/skills/also.md"), "---\nname: also\ndescription: D.\n---\n");
  fs.symlinkSync("nowhere", managed.at("ws/.agent/skills/gone"));
  await managed.open();
  for (const name of ["lower", "loose", "also", "gone"]) {
    const { reasons: none, diagnostics } = await explain(name);
    expect({ name, none, count: diagnostics.length }).toEqual({ name, none: [], count: 1 });
  }
});
test("a role without the tool is the reason why none of its skills is offered", async () => {
  settings({ agent: { plan: { tools: { skill: false } } } });
  managed.skill("pdf", { root: "config/skills" });
  await managed.open({ role: "plan" });
  expect((await explain("pdf")).verdicts[0]).toMatchObject({
    offered: false,
    invocable: true,
    reasons: [{ code: "on" }, { code: "tool_off", detail: "plan", source: "role:plan" }],
  });
});
test("what the catalog has shortened or dropped says so", async () => {
  const long = "word ".repeat(60).trim();
  managed.skill("short", { root: "config/skills" });
  for (let index = 0; index < 30; index++)
    managed.skill(`long-${index}`, { root: "config/skills", fields: { description: long } });
  await managed.open();
  expect(await reasons("long-3")).toEqual([["on", "catalog_shortened"]]);
  expect(await reasons("short")).toEqual([["on"]]);
  for (let index = 0; index < 300; index++) managed.skill(`x-with-a-rather-long-name-${index}`);
  await managed.host.reload("skills");
  expect((await reasons("long-3"))[0]).toContain("catalog_dropped");
  expect((await explain("long-3")).verdicts[0]?.offered).toBe(false);
});
test("a description that is too long by itself is told as that, in a catalog that has room", async () => {
  managed.skill("wordy", { root: "config/skills", fields: { description: "x".repeat(600) } });
  managed.skill("short", { root: "config/skills" });
  await managed.open();
  expect(await reasons("wordy")).toEqual([["on", "description_long 500"]]);
  const told = (await managed.host.doctor()).problems.filter(({ code }) => code.endsWith("cut"));
  expect(told).toMatchObject([
    { code: "skills-description-cut", fix: expect.stringContaining("500") as unknown },
  ]);
});
test("one that wins its name because it is pinned says so", async () => {
  managed.skill("pdf");
  managed.skill("pdf", { root: "config/skills" });
  await managed.open();
  const pinned = managed.host.skills.rows().find(({ source }) => source === "user-nacre");
  await managed.call("skills.pin", { id: pinned?.id ?? "", pinned: true });
  expect(await reasons("pdf")).toContainEqual(["on", "pinned"]);
});
test("a name that a built-in command has is told: /NAME is the command", async () => {
  managed.skill("model", { root: "config/skills" });
  await managed.open();
  expect(await reasons("model")).toEqual([["on", "name_taken /model"]]);
});
test("a link in a skill's folder that leads back, out of it or nowhere is told where the skill is asked about", async () => {
  managed.skill("pdf", { root: "config/skills" });
  const at = (name: string): string => managed.at("config/skills/pdf", name);
  fs.mkdirSync(at("refs"));
  fs.symlinkSync("..", at("refs/loop"));
  fs.symlinkSync(managed.world.write("secret", "key"), at("out.md"));
  fs.symlinkSync("nowhere", at("gone.md"));
  await managed.open();
  const { verdicts, diagnostics } = await explain("pdf");
  expect(verdicts).toMatchObject([{ offered: true }]);
  expect(diagnostics.map(({ code, path: where }) => [code, where])).toEqual([
    ["skill-link", at("gone.md")],
    ["skill-link-outside", at("out.md")],
    ["skill-link-cycle", at("refs/loop")],
  ]);
});
test("a skill of another name is found by its folder's, where no skill has that name", async () => {
  managed.skill("pdf", { root: "config/skills", fields: { name: "pdf-tools" } });
  managed.skill("doc", { root: "config/skills", fields: { name: "doc-tools" } });
  managed.skill("doc");
  await managed.open();
  const named = async (name: string) => (await explain(name)).verdicts.map(({ row }) => row.name);
  expect(await named("pdf")).toEqual(["pdf-tools"]);
  expect((await explain("pdf")).diagnostics).toMatchObject([{ code: "skill-name-differs" }]);
  expect(await named("doc")).toEqual(["doc"]);
  expect(await named("pdf-tools")).toEqual(["pdf-tools"]);
});
test("what can be repaired without a doubt says so, and nothing else does", async () => {
  const text = (fields: string): string => `---\n${fields}\n---\nBody.\n`;
  managed.world.write("ws/.agent/skills/colon/SKILL.md", text("name: colon\ndescription: Use when: asked."));
  managed.world.write("ws/.agent/skills/vague/SKILL.md", text("name: vague\nlicense: MIT"));
  managed.world.write("ws/.agent/skills/hopeless/SKILL.md", text("description: [\nname: 3000"));
  managed.skill("fine");
  await managed.open();
  const repairable = async (name: string) => (await explain(name)).verdicts.map((one) => one.repairable);
  expect(await repairable("colon")).toEqual([true]);
  for (const name of ["vague", "hopeless", "fine"]) expect(await repairable(name)).toEqual([undefined]);
});
test("a file that is gone since it was listed has nothing to repair; one that cannot be read is told", async () => {
  const broken = "---\nname: colon\ndescription: Use when: asked.\n---\nBody.\n";
  const file = managed.world.write("ws/.agent/skills/colon/SKILL.md", broken);
  await managed.open();
  fs.unlinkSync(file);
  expect((await explain("colon")).verdicts.map((one) => one.repairable)).toEqual([undefined]);
  fs.symlinkSync("SKILL.md", file);
  await expect(explain("colon")).rejects.toMatchObject({ code: "io" });
});
test("names that are no names are answered like any other: nothing is looked up outside the roots", async () => {
  managed.skill("pdf");
  managed.world.write("secret/SKILL.md", "x");
  await managed.open();
  await managed.host.setSwitch("skills:user-nacre", false);
  for (const name of ["../../secret", "..", "", "__proto__", "x".repeat(100_000), "a\0b"])
    expect(await explain(name)).toMatchObject({ verdicts: [], reasons: [{ code: "unknown" }] });
});
