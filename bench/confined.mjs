// A confined spawn of `true` in a repository of 2,000 files, beside the barest bubblewrap, both started by the app's own
// code in one process: looking at the tree, building the mounts, the process, looking again. Linux with bubblewrap.
// node bench/confined.mjs [--rounds N]
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { spawnSync } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { interleave, median, report, rounds, scratch } from "./lib/measure.mjs";
import { root } from "./lib/worlds.mjs";

const spawnsPerRound = 10;
if (!existsSync("/usr/bin/bwrap")) {
  console.log("confined: skipped, bubblewrap is not installed");
  process.exit(0);
}
const folder = scratch();
const at = (/** @type {string[]} */ ...names) => path.join(folder, ...names);
const host = path.join(root, "electron/host");

// The app's code as it is built, with doors for what is measured.
await build({
  configFile: false,
  logLevel: "error",
  root,
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    outDir: at("built"),
    emptyOutDir: false,
    minify: true,
    target: "node20",
    rolldownOptions: {
      input: {
        sandbox: path.join(host, "policy/sandbox.ts"),
        runs: path.join(host, "tools/confined-run.ts"),
        process: path.join(host, "kit/process.ts"),
      },
      output: { format: "esm", entryFileNames: "[name].mjs" },
    },
  },
});
/** @param {string} name @returns {Promise<any>} what an entry of the build exports */
const built = (name) => import(pathToFileURL(at("built", `${name}.mjs`)).href);
const [{ createSandbox }, { ConfinedRuns }, { run }] = await Promise.all(
  ["sandbox", "runs", "process"].map(built),
);

const workspace = at("ws");
for (let file = 0; file < 2000; file++) {
  const place = path.join(workspace, `package-${file % 20}`, `part-${file % 200}`);
  mkdirSync(place, { recursive: true });
  writeFileSync(path.join(place, `file-${file}.ts`), "export {};\n");
}
spawnSync("git", ["init", "-q"], { cwd: workspace });
const paths = Object.fromEntries(["home", "config", "data", "cache", "cst"].map((name) => [name, at(name)]));
for (const place of [...Object.values(paths), at("home/.ssh"), at("tmp"), at("ws/.agent")])
  mkdirSync(place, { recursive: true });
// What was just written is read anew at each look; a workspace rests for longer.
await new Promise((resolve) => setTimeout(resolve, 2200));

const sandbox = createSandbox({ platform: process.platform, env: process.env, paths });
const runs = new ConfinedRuns(paths, () => undefined);
const confinement = { workspace, writableRoots: [], network: false, tmp: at("tmp") };
const confined = async () => {
  const watched = await runs.begin(confinement);
  const spec = { command: "true", args: [], cwd: workspace };
  const result = await run(await sandbox.wrap(spec, watched.confinement));
  await watched.end();
  return result;
};
const bare = () => run({ command: "bwrap", args: ["--ro-bind", "/", "/", "true"] });

/** @param {() => Promise<{exit: {code: number | null}, output: string}>} spawn */
const timed = (spawn) => async () => {
  const times = [];
  for (let count = 0; count < spawnsPerRound; count++) {
    const started = performance.now();
    const { exit, output } = await spawn();
    times.push(performance.now() - started);
    if (exit.code !== 0) throw new Error(`it ended with ${exit.code}: ${output}`);
  }
  return median(times);
};
await confined();
await bare();
const held = report(
  "confined spawn (floor: bwrap --ro-bind / / true)",
  await interleave({ floor: timed(bare), nacre: timed(confined) }, rounds()),
  "ms",
  { ratio: 1.5 },
);
process.exitCode = held ? 0 : 1;
