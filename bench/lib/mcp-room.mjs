// Builds the room of servers alone, as the app is built, so that its manager can be measured in a process of its own.
import { writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import { build } from "vite";
import { root } from "./worlds.mjs";

/** @param {string} folder @returns {Promise<string>} the built file */
export async function buildMcpRoom(folder) {
  const entry = path.join(folder, "mcp-room.ts");
  const source = (/** @type {string} */ name) => JSON.stringify(path.join(root, "electron/host", name));
  writeFileSync(
    entry,
    [
      `export { createMcp } from ${source("mcp/manager.ts")};`,
      `export { Emitter } from ${source("kit/emitter.ts")};`,
      `export { createMasker } from ${source("kit/mask.ts")};`,
      `export { silentLogger } from ${source("kit/log.ts")};`,
    ].join("\n"),
  );
  await build({
    configFile: false,
    logLevel: "error",
    define: { __NACRE_VERSION__: JSON.stringify("bench") },
    resolve: {
      alias: { "@modelcontextprotocol/client/_shims": path.join(root, "electron/host/mcp/sdk-shims.ts") },
    },
    ssr: { noExternal: true },
    build: {
      outDir: path.join(folder, "mcp-room"),
      ssr: entry,
      target: "node20",
      minify: true,
      rolldownOptions: {
        checks: { eval: false },
        external: ["@napi-rs/keyring", ...builtinModules, /^node:/],
        output: {
          format: "cjs",
          entryFileNames: "room.cjs",
          chunkFileNames: "[name]-[hash].cjs",
          keepNames: true,
        },
      },
    },
  });
  return path.join(folder, "mcp-room", "room.cjs");
}
