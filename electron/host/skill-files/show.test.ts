import fs from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { largestSkillBytes } from "../../../shared/skills.ts";
import { ManagedWorld } from "./world.testkit.ts";

let managed: ManagedWorld;
beforeEach(() => (managed = new ManagedWorld()));
afterEach(() => managed.close());
const show = (name: string, source?: string) => managed.call("skills.show", { id: managed.id(name, source) });

test("a skill is shown with its whole file, its fields and the files beside it", async () => {
  const file = managed.skill("pdf", {
    fields: {
      license: "MIT",
      "allowed-tools": "Read Bash(git:*)",
      tools: "[read_file, no_such]",
      model: "small",
    },
    body: "# PDF\n",
  });
  managed.world.write("ws/.agent/skills/pdf/scripts/fill.py", "pass");
  await managed.open();
  expect(await show("pdf")).toMatchObject({
    id: "skill:project-nacre/pdf",
    row: { state: "on", path: file },
    content: "# PDF\n\n",
    text: fs.readFileSync(file, "utf8"),
    license: "MIT",
    allowedTools: ["Read", "Bash(git:*)"],
    tools: [
      { name: "read_file", found: true },
      { name: "no_such", found: false },
    ],
    model: { name: "small", found: false },
    resources: ["scripts/fill.py"],
    moreResources: false,
    editable: true,
  });
});
test("what does not load, is shadowed, denied or off is shown too, each with its own file", async () => {
  managed.world.write(
    "config/settings.json",
    '{"permission": {"skill": {"secret": "deny"}}, "switches": {}}',
  );
  managed.world.write("ws/.agent/skills/broken/SKILL.md", "---\nname: broken\ndescription: [\n---\nBody.\n");
  managed.skill("secret");
  managed.skill("twice");
  managed.skill("twice", { root: "config/skills", body: "The user's." });
  managed.skill("quiet");
  await managed.open();
  await managed.host.setSwitch(managed.id("quiet"), false);
  expect(await show("broken")).toMatchObject({
    row: { state: "invalid" },
    content: "",
    text: "---\nname: broken\ndescription: [\n---\nBody.\n",
    editable: true,
  });
  expect(await show("secret")).toMatchObject({ row: { state: "denied" }, content: "Body.\n" });
  expect(await show("twice", "user-nacre")).toMatchObject({
    row: { state: "shadowed" },
    content: "The user's.\n",
  });
  expect(await show("quiet")).toMatchObject({ row: { state: "off" }, content: "Body.\n" });
});
test("the digest names the bytes: it changes with the file and with nothing else", async () => {
  const file = managed.skill("pdf");
  await managed.open();
  const first = await show("pdf");
  fs.utimesSync(file, new Date(1), new Date(1));
  expect((await show("pdf")).digest).toBe(first.digest);
  fs.appendFileSync(file, "more");
  expect((await show("pdf")).digest).not.toBe(first.digest);
});
test("a file that is no UTF-8 is shown without a text to edit", async () => {
  managed.world.write("ws/.agent/skills/latin/SKILL.md", "");
  fs.writeFileSync(
    managed.at("ws/.agent/skills/latin/SKILL.md"),
    Buffer.from("---\nname: latin\ndescription: Caf\xe9.\n---\n", "latin1"),
  );
  await managed.open();
  expect(await show("latin")).toMatchObject({
    text: null,
    editable: false,
    uneditable: "no_text",
    removable: true,
  });
  const hears = expect.stringContaining("byte 0xE9 at offset 32 (line 3) is no UTF-8") as unknown;
  const id = managed.id("latin");
  const { digest } = await show("latin");
  await expect(managed.call("skills.repair", { id })).rejects.toMatchObject({ message: hears });
  await expect(managed.call("skills.write", { id, text: "x", digest })).rejects.toMatchObject({
    message: hears,
  });
});
test("a file that is marked read-only is not editable", async () => {
  fs.chmodSync(managed.skill("pdf"), 0o444);
  await managed.open();
  expect(await show("pdf")).toMatchObject({ editable: false, uneditable: "not_writable" });
});
test("what is no text to edit is removed as any other, and says why it is not edited", async () => {
  const latin = managed.world.write("ws/.agent/skills/latin/SKILL.md", "");
  fs.writeFileSync(latin, Buffer.from("---\nname: latin\ndescription: Caf\xe9.\n---\n", "latin1"));
  const large = `---\nname: large\ndescription: D.\n---\n${"x".repeat(largestSkillBytes)}`;
  managed.world.write("config/skills/large/SKILL.md", large);
  const victim = managed.world.write("victim.md", "---\nname: link\ndescription: D.\n---\n");
  fs.mkdirSync(managed.at("ws/.agent/skills/link"), { recursive: true });
  fs.symlinkSync(victim, managed.at("ws/.agent/skills/link/SKILL.md"));
  managed.world.write("config/plugins/docs/plugin.json", '{"name": "docs", "skills": "skills"}');
  managed.skill("demo", { root: "config/plugins/docs/skills" });
  await managed.open();
  expect(await show("large")).toMatchObject({ editable: false, uneditable: "too_large", removable: true });
  expect(await show("link")).toMatchObject({ editable: false, uneditable: "leaves_folder", removable: true });
  expect(await show("docs:demo")).toMatchObject({ editable: false, uneditable: "kept", removable: false });
  for (const name of ["latin", "large", "link"])
    await managed.call("skills.remove", { id: managed.id(name) });
  expect(fs.existsSync(latin)).toBe(false);
  expect(fs.existsSync(victim)).toBe(true);
});
test("an id means a skill of the list and never a path", async () => {
  managed.world.write("secret/SKILL.md", "---\nname: secret\ndescription: D.\n---\n");
  managed.skill("pdf");
  await managed.open();
  for (const id of [
    "skill:project-nacre/../../secret",
    `skill:project-nacre/${managed.at("secret")}`,
    "__proto__",
    "constructor",
    "",
    "x".repeat(1_000_000),
  ])
    await expect(managed.call("skills.show", { id })).rejects.toMatchObject({ code: "not_found" });
});
test("the table of roots shows every row, its folders and what loads in each", async () => {
  managed.skill("pdf");
  managed.world.write("ws/.agent/skills/broken/SKILL.md", "---\nname: broken\n---\n");
  await managed.open();
  await managed.host.setSwitch("skills:user-nacre", false);
  const roots = await managed.call("skills.roots", {});
  expect(roots).toContainEqual({
    id: "skills:project-nacre",
    source: "project-nacre",
    scope: "workspace",
    rank: 90,
    enabled: true,
    folders: [{ path: managed.at("ws/.agent/skills"), exists: true, count: 1 }],
  });
  expect(roots.find(({ source }) => source === "user-nacre")).toMatchObject({ enabled: false });
  expect(roots.map(({ rank }) => rank)).toEqual(roots.map(({ rank }) => rank).toSorted((a, b) => a - b));
});
