// Skills as people publish them: most with a plain name and description, some with more, one in a hundred broken.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { seeded } from "./random.mjs";

export const seed = 20_261;
export const skillsFolder = path.join(".agent", "skills");

const words =
  "reads writes turns makes checks a the of for into tables reports pages files charts drafts tests notes budgets maps when asked needed given with without many few old new clear long short".split(
    " ",
  );

/**
 * Writes `count` skills below `<workspace>/.agent/skills`. The same count gives the same files.
 * @param {string} workspace @param {number} count
 */
export function writeLibrary(workspace, count) {
  const random = seeded(seed);
  /** @param {number} share @returns {boolean} */
  const chance = (share) => random() < share;
  /** @param {number} length @returns {string} */
  const text = (length) => Array.from({ length }, () => words[Math.floor(random() * words.length)]).join(" ");
  for (let i = 0; i < count; i++) {
    const name = `skill-${String(i).padStart(5, "0")}`;
    const description = text(12 + Math.floor(random() * 30));
    const head = [
      `name: ${name}`,
      chance(0.03)
        ? `description: |\n  ${description}\n  ${text(8)}`
        : chance(0.1)
          ? `description: "${description}. Use when: asked."`
          : chance(0.01)
            ? `description: ${description}. Use when: asked.`
            : `description: ${description}.`,
      chance(0.3) ? "license: MIT" : "",
      chance(0.2) ? `metadata:\n  author: somebody\n  version: "1.${i}"` : "",
      chance(0.15) ? "allowed-tools: Read, Grep, Bash(git:*)" : "",
      chance(0.1) ? `keywords: [${text(1)}, ${text(1)}]` : "",
      chance(0.05) ? `tags:\n  - ${text(1)}\n  - ${text(1)}` : "",
      chance(0.03) ? "user-invocable: true" : "",
    ].filter((line) => line !== "");
    const line = `${text(12)}.\n`;
    const body = `# ${text(3)}\n\n${line.repeat(10 + Math.floor(random() * 60))}`;
    const folder = path.join(workspace, skillsFolder, name);
    mkdirSync(folder, { recursive: true });
    const broken = chance(0.01);
    writeFileSync(
      path.join(folder, "SKILL.md"),
      `---\n${head.join("\n")}\n${broken ? "tags: [unclosed\n" : ""}---\n\n${body}`,
    );
  }
}
