import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ModelServerOptions } from "../fixtures/model-server.mjs";
import { createWorld, type World } from "./world.ts";

/** Where the skills of a world lie, by what is special about them. */
export interface SkillWorld {
  readonly world: World;
  /** Absolute path of a file below the world's folder. */
  readonly at: (file: string) => string;
}
/** Invalid by its name, and read as if its description stood in quotes: both are beyond doubt. */
const brokenText =
  "---\nname: Deploy Check\ndescription: Before a deploy: migrations, flags, error budget\n# who may run it\nlicense: MIT\n---\n\n# Before a deploy\n\nLook at the migrations first.\n";
const skill = (name: string, description: string, more = "", body = `# ${name}\n\nDo it.\n`): string =>
  `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`;

/**
 * A workspace that nobody trusts with a skill of every state: on, off, shadowed, invalid and beyond doubt what was meant,
 * invalid and hopeless, denied, asked about, in an untrusted plugin, in the untrusted folder.
 */
export async function createSkillWorld(
  script: ModelServerOptions,
  settings: Record<string, unknown> = {},
): Promise<SkillWorld> {
  const world = await createWorld(script, {
    settings: {
      permission: { skill: { "rotate-*": "ask", "*-secrets": "deny" } },
      switches: { "skill:user-nacre/meeting-notes": false },
      ...settings,
    },
  });
  const at = (file: string): string => path.join(world.folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  // No server: what is looked at are skills.
  rmSync(path.join(world.workspace, ".agent/mcp.json"));
  write(
    "config/skills/regression-tests/SKILL.md",
    skill(
      "regression-tests",
      "A failing test first, then the smallest fix",
      "license: MIT\ncompatibility: Node 20 or newer\nwhen-to-use: A bug was reported\nkeywords: [bug, regression]\nallowed-tools: run_shell grep\ntools: [read_file, jira_issue]\nmodel: careful-1\nmetadata:\n  author: Harbor team\n  version: '2.1'\n",
      "# A regression test\n\n1. Write the test that **fails**.\n2. Make it pass with the smallest change.\n\n```sh\nnpm test\n```\n",
    ),
  );
  write("config/skills/regression-tests/scripts/run.sh", "#!/bin/sh\nnpm test\n");
  write("config/skills/regression-tests/examples.md", "# Examples\n");
  write(
    "config/skills/meeting-notes/SKILL.md",
    skill("meeting-notes", "Turns a transcript into decisions and owners"),
  );
  write("config/skills/read-secrets/SKILL.md", skill("read-secrets", "Reads what the vault holds"));
  write("config/skills/rotate-keys/SKILL.md", skill("rotate-keys", "Replaces a key that has leaked"));
  write("home/.claude/skills/api-review/SKILL.md", skill("api-review", "Older copy of the same name"));
  write(
    "harbor/.agents/skills/api-review/SKILL.md",
    skill("api-review", "Checks an OpenAPI change for breaking fields"),
  );
  write("harbor/.agent/skills/deploy-check/SKILL.md", brokenText);
  write(
    "harbor/.agent/skills/load-profile/SKILL.md",
    '---\nname: load-profile\ndescription: "Reads k6 output\n  and: {names the slow step\nkeywords: [a, b\n---\n\nRead the file.\n',
  );
  return { world, at };
}
