// npm run conformance [-- REVISION… SCENARIO…]: the client scenarios of the MCP conformance suite, one at a time, against Nacre's own
// manager (e2e/conformance/client.ts). A scenario that fails is run once more: the suite has timing of its own.
import { spawnSync } from "node:child_process";
import path from "node:path";
import { createBuilder } from "vite";
import { fetchServers, newerNode } from "./e2e-servers.mjs";

const root = path.join(import.meta.dirname, "..");
const results = path.join(root, "test-results/conformance");
/** The client's, ms: a busy machine is slow, and no scenario waits that long by itself. */
const timeout = 120_000;

/** @param {string} reason */
function skip(reason) {
  console.log(`# conformance skipped: ${reason}`);
  console.log("conformance: 0 passed, 0 failed, 1 skipped");
  process.exit(0);
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
/** @param {string[]} version @returns {string[]} */
function scenarios(version) {
  const { stdout, status, stderr } = run(["list", "--client", ...version]);
  if (status !== 0) throw new Error(`the suite cannot list its scenarios: ${stderr}`);
  const names = [...stdout.matchAll(/^ {2}- (\S+)/gm)].map((match) => String(match[1]));
  if (names.length === 0) throw new Error(`the suite listed no scenarios: ${stdout}`);
  return names;
}
/** @param {string} name @param {string[]} version */
function attempt(name, version) {
  // The suite splits the command at blanks: the paths are relative to where it runs.
  const command = "node dist/conformance/client.cjs";
  const args = ["client", "--command", command, "--scenario", name, "--timeout", String(timeout)];
  const { status, stdout, stderr } = run([...args, "-o", results, ...version]);
  const text = stdout + stderr;
  const why = text.split("\n").filter((line) => /^\s+(- |Error: |Warning: )|^⚠️|^Error:/.test(line));
  return { ok: status === 0, why };
}

const revisions = ["2025-11-25", "2026-07-28", "all"];
const asked = process.argv.slice(2);
const wanted = asked.filter((name) => !revisions.includes(name));
const only = asked.filter((name) => revisions.includes(name));
const met = new Set();
let broken = false;
for (const revision of only.length > 0 ? only : revisions) {
  const version = revision === "all" ? [] : ["--spec-version", revision];
  const counts = { passed: 0, failed: 0 };
  for (const name of scenarios(version)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    met.add(name);
    const first = attempt(name, version);
    const last = first.ok ? first : attempt(name, version);
    if (last.ok) counts.passed++;
    else counts.failed++;
    if (!first.ok)
      console.log(
        `# ${revision} ${name}: ${last.ok ? "passed when repeated" : "FAILED"}\n${first.why.join("\n")}`,
      );
  }
  broken ||= counts.failed > 0;
  console.log(`conformance: ${counts.passed} passed, ${counts.failed} failed (${revision})`);
}
const unknown = wanted.filter((name) => !met.has(name));
if (unknown.length > 0) {
  console.log(`# no scenario of the suite: ${unknown.join(", ")}`);
  broken = true;
}
process.exitCode = broken ? 1 : 0;
