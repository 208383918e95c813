// What one decision costs, in µs: 50 rules, three paths, a command of four parts. Once the gate alone, over what was
// found before; once whole, with the looks at the disk that every call takes. The code is bundled as the build does it.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "vite";
import { report, rounds, scratch } from "./lib/measure.mjs";
import { root } from "./lib/worlds.mjs";

const folder = scratch();
const at = (/** @type {string[]} */ ...names) => path.join(folder, ...names);
await build({
  configFile: false,
  root,
  logLevel: "warn",
  build: {
    ssr: true,
    outDir: at("built"),
    emptyOutDir: true,
    rollupOptions: {
      input: {
        judged: path.join(root, "electron/host/tools/judged-call.ts"),
        gate: path.join(root, "electron/host/policy/gate.ts"),
      },
      output: { format: "es", entryFileNames: "[name].mjs" },
    },
  },
});
/** @type {{judgeCall: (deps: object, call: object) => {gate: object}}} */
const { judgeCall } = await import(pathToFileURL(at("built", "judged.mjs")).href);
/** @type {{decide: (gate: object) => object}} */
const { decide } = await import(pathToFileURL(at("built", "gate.mjs")).href);

for (const name of ["ws/docs/deep", "ws/real", "home", "config", "data", "cst"])
  mkdirSync(at(name), { recursive: true });
writeFileSync(at("ws/docs/deep/a.md"), "");
symlinkSync("real", at("ws/link"));

const rules = Array.from({ length: 50 }, (_, index) => ({
  tool: ["run_shell", "write_file", "fetch_url", "mcp__git__*", "Edit"][index % 5] ?? "",
  pattern:
    [`git sub-${index}*`, `docs/part-${index}/**`, `*.host-${index}.example.com`, "*", `src/${index}/*.ts`][
      index % 5
    ] ?? "",
  answer: ["allow", "ask", "deny"][index % 3],
  source: "settings",
  trusted: true,
}));
const deps = {
  broker: { remembered: () => [], openedFolders: () => [] },
  sandbox: { kind: "bubblewrap" },
  workspace: at("ws"),
  paths: { config: at("config"), data: at("data"), home: at("home"), cst: at("cst") },
  readableFolders: () => [],
};
const policy = {
  approval: "on_request",
  sandbox: "workspace_write",
  writableRoots: [],
  networkAccess: false,
  rules,
  allow: [],
};
const call = {
  tool: {
    name: "write_file",
    title: "write_file",
    description: "",
    perm: "write",
    origin: { kind: "builtin", owner: "nacre" },
    inputSchema: {},
    touches: () => ({
      writes: ["docs/deep/a.md", "link/new/b.ts", "docs/../docs/deep/c.md"],
      command: "git status && ls -la docs | grep x > /dev/null; npm test",
    }),
    run: () => Promise.reject(new Error("nothing runs here")),
  },
  input: { path: "docs/deep/a.md", content: "x" },
  caller: { kind: "model", sessionId: null, role: null, policy, canAsk: true },
  turn: { outsideText: false, confirmed: new Set() },
};
const { gate } = judgeCall(deps, call);

/** @param {() => unknown} work @returns {number} µs for one */
function cost(work) {
  const times = 4_000;
  const start = process.cpuUsage();
  for (let i = 0; i < times; i++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / times;
}
const figures = { decide: /** @type {number[]} */ ([]), judge: /** @type {number[]} */ ([]) };
for (let round = -1; round < rounds(); round++) {
  const alone = cost(() => decide(gate));
  const whole = cost(() => judgeCall(deps, call));
  // The first round warms up.
  if (round < 0) continue;
  figures.decide.push(alone);
  figures.judge.push(whole);
}
const held = report("one decision of the gate", { nacre: figures.decide }, "µs", { below: 50 });
report("one call judged, with its paths looked up on disk", { nacre: figures.judge }, "µs", { below: 1_000 });
process.exitCode = held ? 0 : 1;
