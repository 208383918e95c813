// The workspaces that floor and Nacre both work in.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

export const root = path.join(import.meta.dirname, "../..");
export const nacre = path.join(root, "bin/nacre.cjs");

/** @param {string} workspace @param {number} count */
export function writeSkills(workspace, count) {
  for (let i = 0; i < count; i++) {
    const folder = path.join(workspace, ".agent/skills", `skill-${i}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(
      path.join(folder, "SKILL.md"),
      `---\nname: skill-${i}\ndescription: Does the thing number ${i}; use when thing ${i} is asked for.\n---\n# Thing ${i}\n\n${"One line of instructions that says what to do.\n".repeat(20)}`,
    );
  }
}

/** @param {string} workspace @param {number} count */
export function writeServers(workspace, count) {
  const server = path.join(root, "e2e/fixtures/mcp-servers/small.mjs");
  const mcpServers = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `small-${i}`,
      { command: process.execPath, args: [server], autoApprove: true },
    ]),
  );
  return JSON.stringify({ mcpServers }, null, 2);
}

/** @param {string} folder @param {"read" | "shell"} perm */
export function writePlugin(folder, perm) {
  const plugin = path.join(folder, "plugins/echo");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(
    path.join(plugin, "plugin.json"),
    JSON.stringify({
      name: "echo",
      tools: [
        {
          name: "echo_tool",
          description: "Answers what it was given.",
          command: ["cat"],
          parameters: { type: "object", properties: { text: { type: "string" } } },
          perm,
        },
      ],
    }),
  );
}

/** An environment whose every folder lies in `folder`. @param {string} folder @param {string} url */
export function environment(folder, url) {
  return {
    ...process.env,
    HOME: path.join(folder, "home"),
    XDG_CONFIG_HOME: path.join(folder, "xdg"),
    NACRE_CONFIG_DIR: path.join(folder, "config"),
    NACRE_DATA_DIR: path.join(folder, "data"),
    NACRE_CACHE_DIR: path.join(folder, "cache"),
    NACRE_MODEL: "openai-compatible/any",
    NACRE_BASE_URL: url,
  };
}
