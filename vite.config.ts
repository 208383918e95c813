import { cpSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import path from "node:path";
import vue from "@vitejs/plugin-vue";
import { defineConfig, type EnvironmentOptions, type Plugin } from "vite";

const at = (name: string): string => path.join(import.meta.dirname, name);
const { version } = JSON.parse(readFileSync(at("package.json"), "utf8")) as { version: string };

/** One CommonJS build for Node. Packages are bundled, so that the shipped app holds no node_modules but two. */
const node = (input: Record<string, string>, outDir: string, codeSplitting: boolean): EnvironmentOptions => ({
  consumer: "server",
  resolve: { noExternal: true, conditions: ["node", "import", "module", "default"] },
  build: {
    outDir: at(outDir),
    copyPublicDir: false,
    emptyOutDir: true,
    ssr: true,
    target: "node20",
    sourcemap: true,
    minify: true,
    rolldownOptions: {
      // gray-matter holds an eval that the throwing engines of kit/yaml-block.ts keep from running.
      checks: { eval: false },
      input: Object.fromEntries(Object.entries(input).map(([name, file]) => [name, at(file)])),
      external: [
        "electron",
        "playwright-core",
        "@vscode/ripgrep",
        "@napi-rs/keyring",
        ...builtinModules,
        /^node:/,
      ],
      output: {
        format: "cjs",
        entryFileNames: "[name].cjs",
        chunkFileNames: "assets/[name]-[hash].cjs",
        // Minifying renames classes; names of errors and of events reach users.
        keepNames: true,
        codeSplitting,
      },
    },
  },
});

/** The app's own skills are files that people and models read: they stand beside the entries as they are. */
const ownSkills: Plugin = {
  name: "own-skills",
  applyToEnvironment: ({ name }) => name === "node",
  writeBundle: () => cpSync(at("resources/skills"), at("dist/node/skills"), { recursive: true }),
};

export default defineConfig({
  root: at("renderer"),
  base: "./",
  plugins: [vue(), ownSkills],
  define: { __NACRE_VERSION__: JSON.stringify(version) },
  resolve: { alias: { "@modelcontextprotocol/client/_shims": at("electron/host/mcp/sdk-shims.ts") } },
  environments: {
    client: {
      build: {
        outDir: at("dist/renderer"),
        emptyOutDir: true,
        modulePreload: { polyfill: false },
        target: "chrome130",
      },
    },
    node: node(
      {
        main: "electron/shell/main.ts",
        cli: "electron/cli/main.ts",
        helper: "electron/host/kit/helper/main.ts",
      },
      "dist/node",
      true,
    ),
    standIn: node({ child: "e2e/electron-stand-in/child.ts" }, "dist/stand-in", false),
    // Built by scripts/conformance.mjs alone.
    conformance: node({ client: "e2e/conformance/client.ts" }, "dist/conformance", false),
    preload: node({ preload: "electron/shell/preload.ts" }, "dist/preload", false),
  },
  builder: {
    async buildApp(builder) {
      await Promise.all(
        Object.values(builder.environments)
          .filter(({ name }) => name !== "ssr" && name !== "conformance")
          .map((environment) => builder.build(environment)),
      );
    },
  },
});
