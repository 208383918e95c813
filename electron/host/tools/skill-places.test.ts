import fs from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Bench, createBench, rulesOf } from "./tools.testkit.ts";

let bench: Bench | undefined;
afterEach(() => bench?.stop());
const rules = rulesOf({ write_file: "allow", edit_file: "allow" });

/** Folders whose skills are the user's in every workspace: what an agent writes there speaks to later agents. */
test.each([
  ["<config>/skills", (one: Bench) => path.join(one.paths.config, "skills")],
  ["~/.agents/skills", (one: Bench) => path.join(one.paths.home, ".agents/skills")],
  ["~/.claude/skills", (one: Bench) => path.join(one.paths.home, ".claude/skills")],
  ["~/.dsh/skills", (one: Bench) => path.join(one.paths.home, ".dsh/skills")],
  ["~/.kairox/skills", (one: Bench) => path.join(one.paths.home, ".kairox/skills")],
  ["~/.config/dropstone/skills", (one: Bench) => path.join(one.paths.home, ".config/dropstone/skills")],
  ["<cst>/skills", (one: Bench) => path.join(one.paths.cst, "skills")],
  ["<ws>/.agent/skills", (one: Bench) => path.join(one.workspace, ".agent/skills")],
  ["<ws>/.claude/skills", (one: Bench) => path.join(one.workspace, ".claude/skills")],
])(
  "an agent's tools ask before they write a skill into %s, whatever a rule allows",
  async (_name, folder) => {
    // The home folder among the writable roots: the most that a user may have given.
    for (const inHome of [true, false]) {
      const one = (bench = createBench({ inHome }));
      const file = path.join(folder(one), "made/SKILL.md");
      const { decision } = await one.call(
        "write_file",
        { path: file, content: "---\nname: made\ndescription: D.\n---\n" },
        { policy: { rules, writableRoots: [one.paths.home] } },
      );
      expect([inHome, decision]).toEqual([inHome, "deny"]);
      expect(fs.existsSync(file)).toBe(false);
      await one.stop();
      bench = undefined;
    }
  },
);
