// npm run conformance [-- REVISION… SCENARIO…]: the client scenarios of the MCP conformance suite, one at a time, against Nacre's own
// manager (e2e/conformance/client.ts). A scenario that fails is run once more, alone: the suite has timing of its own.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { createBuilder } from "vite";
import { fetchServers, newerNode } from "./e2e-servers.mjs";

const root = path.join(import.meta.dirname, "..");
const report = path.join(root, "test-results/reports/conformance.json");
/** The client's, ms: a busy machine is slow, and no scenario waits that long by itself. */
const timeout = 60_000;
// The suite splits the command at blanks: the paths are relative to where it runs.
const command = "node dist/conformance/client.cjs";

/** @param {{ passed: number, failed: number, skipped: number }} counts */
function finish(counts) {
  mkdirSync(path.dirname(report), { recursive: true });
  writeFileSync(report, JSON.stringify({ counts }));
  const { passed, failed, skipped } = counts;
  console.log(`conformance: ${passed} passed, ${failed} failed, ${skipped} skipped`);
  process.exit(failed > 0 ? 1 : 0);
}
/** @param {string} reason */
function skip(reason) {
  console.log(`# conformance skipped: ${reason}`);
  finish({ passed: 0, failed: 0, skipped: 1 });
}
const servers = fetchServers();
if ("missing" in servers) skip(`the suite cannot be fetched: ${servers.missing}`);
const { folder } = /** @type {{ folder: string }} */ (servers);
const node = newerNode(folder) ?? "";
if (node === "") skip("the suite needs Node 22 or later, and none was found");
const suite = path.join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

const builder = await createBuilder({
  root,
  configFile: path.join(root, "vite.config.ts"),
  logLevel: "warn",
});
const client = builder.environments["conformance"];
if (!client) throw new Error("vite.config.ts has no environment conformance");
await builder.build(client);

/** @param {string[]} args */
const run = (args) =>
  spawnSync(node, [suite, ...args], {
    cwd: root,
    encoding: "utf8",
    timeout: 2 * timeout,
    killSignal: "SIGKILL",
  });
/**
 * The scenarios of a revision, each with the revision that it is played in: the suite plays `all` without one in 2025-11-25, and
 * in 2026-07-28 what came with it. So most of `all` is the very run of a dated revision, and is not made twice.
 * @param {string} revision @returns {Scenario[]}
 */
function scenarios(revision) {
  const { stdout, status, stderr } = run([
    "list",
    "--client",
    ...(revision === "all" ? [] : ["--spec-version", revision]),
  ]);
  if (status !== 0) throw new Error(`the suite cannot list its scenarios: ${stderr}`);
  const found = [...stdout.matchAll(/^ {2}- (\S+) \[(\S+?)[,\]]/gm)];
  if (found.length === 0) throw new Error(`the suite listed no scenarios: ${stdout}`);
  return found.map(([, name = "", since]) => {
    const own = since === "2026-07-28" ? since : "2025-11-25";
    return { name, version: revision === "all" ? own : revision };
  });
}
/** @typedef {{ name: string, version: string }} Scenario */
/** @param {Scenario} scenario */
const keyOf = ({ name, version }) => `${name} (${version})`;
/** @param {string} text */
const reasons = (text) =>
  text.split("\n").filter((line) => /^\s+(- |Error: |Warning: )|^⚠️|^Error:/.test(line));

/** @param {Scenario} scenario @returns {{ ok: boolean, text: string }} */
function playAlone({ name, version }) {
  const args = ["client", "--command", command, "--scenario", name, "--timeout", String(timeout)];
  const { status, stdout, stderr } = run([...args, "--spec-version", version, "--force"]);
  return { ok: status === 0, text: stdout + stderr };
}
/** @param {Scenario[]} wanted @param {(scenario: Scenario, ok: boolean, text: string) => void} onResult */
async function playAll(wanted, onResult) {
  const runner = path.join(root, "e2e/conformance/runner.mjs");
  const child = spawn(node, [runner, suite, command, String(timeout)], {
    cwd: root,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.stdin.end(JSON.stringify(wanted));
  for await (const line of createInterface({ input: child.stdout })) {
    const { name, version, ok, text } = JSON.parse(line);
    onResult({ name, version }, ok, text);
  }
}

const revisions = ["2025-11-25", "2026-07-28", "all"];
const asked = process.argv.slice(2);
const names = asked.filter((name) => !revisions.includes(name));
const only = asked.filter((name) => revisions.includes(name));
const lists = (only.length > 0 ? only : revisions).map((revision) => ({
  revision,
  played: scenarios(revision).filter(({ name }) => names.length === 0 || names.includes(name)),
}));
const wanted = new Map(lists.flatMap(({ played }) => played.map((one) => [keyOf(one), one])));

/** @type {Map<string, boolean>} */
const results = new Map();
const started = Date.now();
await playAll([...wanted.values()], (scenario, ok, text) => {
  const last = ok ? { ok, text } : playAlone(scenario);
  results.set(keyOf(scenario), last.ok);
  if (!ok)
    console.log(
      `# ${keyOf(scenario)}: ${last.ok ? "passed when repeated alone" : "FAILED"}\n${reasons(last.ok ? text : last.text).join("\n")}`,
    );
});
for (const { revision, played } of lists) {
  const passed = played.filter((one) => results.get(keyOf(one)) === true).length;
  console.log(`conformance ${revision}: ${passed} passed, ${played.length - passed} failed`);
}
const unknown = names.filter((name) => ![...wanted.values()].some((one) => one.name === name));
if (unknown.length > 0) console.log(`# no scenario of the suite: ${unknown.join(", ")}`);
const passed = [...results.values()].filter(Boolean).length;
console.log(`# ${wanted.size} runs, ${((Date.now() - started) / 1000).toFixed(0)} s`);
finish({ passed, failed: wanted.size - passed + unknown.length, skipped: 0 });
