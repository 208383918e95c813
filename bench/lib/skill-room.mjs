// Builds the room of skills alone, as the app is built, so that a listing can be measured in a process of its own.
import { writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build } from "vite";
import { root } from "./worlds.mjs";

/** @param {string} folder @returns {Promise<string>} the built file */
export async function buildSkillRoom(folder) {
  const entry = path.join(folder, "room.ts");
  const from = JSON.stringify(path.join(root, "electron/host/skills/skills.ts"));
  const files = JSON.stringify(path.join(root, "electron/host/skills/local-files.ts"));
  writeFileSync(entry, `export { createSkills } from ${from};\nexport { createLocalFiles } from ${files};\n`);
  await build({
    configFile: false,
    logLevel: "error",
    define: { __NACRE_VERSION__: JSON.stringify("bench") },
    ssr: { noExternal: true },
    build: {
      outDir: path.join(folder, "room"),
      ssr: entry,
      target: "node20",
      minify: true,
      rolldownOptions: {
        checks: { eval: false },
        external: [...builtinModules, /^node:/],
        output: { format: "cjs", entryFileNames: "room.cjs", chunkFileNames: "[name]-[hash].cjs" },
      },
    },
  });
  return path.join(folder, "room", "room.cjs");
}
