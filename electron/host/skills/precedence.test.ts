import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSkills } from "./skills.ts";
import type { SkillRegistration } from "./types.ts";
import { SkillWorld } from "./world.testkit.ts";

let world: SkillWorld;
beforeEach(() => {
  world = new SkillWorld("apps/web");
});
afterEach(() => world.remove());

/** Best first. */
const places = (): readonly (readonly [owner: string, folder: string])[] => [
  ["project-nacre", ".agent/skills"],
  ["project-dsh", "../../.dsh/skills"],
  ["project-agents", ".agents/skills"],
  ["project-agents~1", "../.agents/skills"],
  ["project-agents~2", "../../.agents/skills"],
  ["project-claude", ".claude/skills"],
  ["project-claude~1", "../.claude/skills"],
  ["project-claude~2", "../../.claude/skills"],
  ["project-dropstone", ".dropstone/skills"],
  ["project-dropstone~1", "../.dropstone/skills"],
  ["project-dropstone~2", "../../.dropstone/skills"],
  ["project-kairox", ".kairox/skills"],
  ["custom", world.at("custom/a")],
  ["custom~1", world.at("custom/b")],
  ["user-nacre", world.at("home/config/skills")],
  ["user-cst-agent", world.at("home/cst/skills")],
  ["user-dsh", world.at("home/.dsh/skills")],
  ["user-agents", world.at("home/.agents/skills")],
  ["user-claude", world.at("home/.claude/skills")],
  ["user-dropstone", world.at("home/.config/dropstone/skills")],
  ["user-kairox", world.at("home/.kairox/skills")],
  ["user-kairox~1", world.at("home/.config/kairox/skills")],
  ["bundled", world.at("app/skills")],
  ["bundled~1", world.at("shipped")],
];

test("one name in every root at once: rank, then nearest level, decides; each loser says who has the name; without the winner the next comes forward", async () => {
  const files = places().map(([owner, folder]) =>
    world.skill(path.join(folder, "same"), { name: "same", description: owner }),
  );
  world.settings = {
    ...world.settings,
    dirs: [world.at("custom/a"), world.at("custom/b")],
    bundledDir: world.at("shipped"),
  };
  const skills = createSkills({ ...world.options(), bundled: world.at("app/skills") });
  const plugin = world.skill(world.at("p/skills/same"), { name: "same", description: "plugin" });
  skills.addRoot({ plugin: "docs", path: world.at("p/skills"), trusted: true });
  const registration: SkillRegistration = {
    name: "same",
    description: "runtime",
    source: "runtime",
    content: "Body.",
  };
  const unregister = skills.registry.register(registration);
  const order = places().map(([owner], index) => ({ id: `skill:${owner}/same`, at: files[index] ?? "" }));
  order.splice(12, 0, { id: "skill:runtime/same", at: "skill:runtime/same" });

  for (let winner = 0; winner < order.length; winner++) {
    await skills.reload();
    const left = order.slice(winner);
    const rows = skills.rows().filter(({ name }) => name === "same");
    expect(rows.map(({ id }) => id).toSorted()).toEqual(left.map(({ id }) => id).toSorted());
    expect(rows.toSorted((a, b) => (a.rank ?? 0) - (b.rank ?? 0)).map(({ id }) => id)).toEqual(
      left.map(({ id }) => id),
    );
    const best = left[0];
    expect(rows.find(({ state }) => state === "on")?.id).toBe(best?.id);
    for (const row of rows)
      if (row.id !== best?.id) expect(row).toMatchObject({ state: "shadowed", shadowedBy: best?.at });
    const description = best?.id.replace("skill:", "").replace("/same", "");
    expect((await skills.registry.get("same", { cwd: world.workspace }))?.description).toBe(description);
    if (best?.id === "skill:runtime/same") await unregister();
    else fs.rmSync(best?.at ?? "");
  }
  // The plugin's own name stood beside them all the time; the bare one is free only now.
  await skills.reload();
  expect(skills.rows()).toMatchObject([
    { id: "skill:docs/same", name: "docs:same", path: plugin, state: "on" },
  ]);
  expect((await skills.registry.get("same", { cwd: world.workspace }))?.description).toBe("plugin");
});
test("in one root: the directory before the flat file, then byte order of the path", async () => {
  world.write(".agents/skills/r.md", "---\nname: r\ndescription: flat\n---\n");
  for (const folder of ["r", "b", "B", "ä", "a"])
    world.skill(`.agents/skills/${folder}`, { name: "r", description: folder });
  const skills = createSkills(world.options());
  await skills.reload();
  const order = skills.rows().map(({ state, description }) => `${state} ${description}`);
  expect(order).toEqual(["on B", "shadowed a", "shadowed b", "shadowed r", "shadowed ä", "shadowed flat"]);
  expect(new Set(skills.rows().map(({ id }) => id)).size).toBe(6);
});
test("a row that is switched off gives its names to the next", async () => {
  world.skill(".dropstone/skills/r", { name: "r", description: "project" });
  world.skill(world.at("home/.config/dropstone/skills/r"), { name: "r", description: "user" });
  await world.switches.set("skills:project-dropstone", false);
  const skills = createSkills(world.options());
  await skills.reload();
  expect(skills.rows()).toMatchObject([{ source: "user-dropstone", state: "on" }]);
});
