// npm test: every check in order, one counted last line. `--soak` runs the long proofs whole.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { fetchServers } from "./e2e-servers.mjs";

const root = path.join(import.meta.dirname, "..");
const out = path.join(root, "test-results", "reports");
rmSync(path.join(root, "test-results"), { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const soak = process.argv.includes("--soak");
const seed = process.env["NACRE_SEED"] ?? String(Date.now() % 2 ** 31);
console.log(
  `# seed ${seed}${soak ? ", whole proofs" : ", samples of the long proofs"} (NACRE_SEED repeats it)`,
);

const total = { passed: 0, failed: 0, skipped: 0 };
/** @param {number} passed @param {number} failed @param {number} skipped */
const count = (passed, failed, skipped) => {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
};
/**
 * Runs a program of node_modules to its end.
 * @param {string} name @param {string[]} args @param {Record<string, string>} [env]
 */
const run = (name, args, env = {}) => {
  const started = Date.now();
  const windows = process.platform === "win32";
  const program = path.join(root, "node_modules", ".bin", windows ? `${name}.cmd` : name);
  const { status } = spawnSync(name === "node" ? process.execPath : program, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    shell: windows && name !== "node",
    env: { ...process.env, NACRE_SEED: seed, ...(soak ? { NACRE_SOAK: "1" } : {}), ...env },
  });
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`# ${name} ${args[0] ?? ""}: ${status === 0 ? "ok" : "FAILED"} ${seconds} s`);
  return status === 0;
};
/** @param {string} name @param {string[]} args */
const check = (name, args) => (run(name, args) ? count(1, 0, 0) : count(0, 1, 0));

/** Debian as root gets what the tests need; elsewhere what is missing is skipped aloud. */
function installOnDebian() {
  const missing = [
    ["/usr/bin/chromium", "chromium"],
    ["/usr/bin/bwrap", "bubblewrap"],
  ].filter(([file]) => !existsSync(/** @type {string} */ (file)));
  if (missing.length === 0 || process.getuid?.() !== 0 || !existsSync("/usr/bin/apt-get")) return;
  console.log(`# installing ${missing.map(([, name]) => name).join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const quiet = /** @type {const} */ (["ignore", "ignore", "inherit"]);
  spawnSync("apt-get", ["update", "-qq"], { stdio: [...quiet], env });
  spawnSync(
    "apt-get",
    ["install", "-y", "-qq", "--no-install-recommends", ...missing.map(([, name]) => String(name))],
    { stdio: [...quiet], env },
  );
}
/** @returns {string | undefined} */
function browser() {
  const candidates = [
    process.env["CHROMIUM"],
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
  ];
  return candidates.find((file) => file !== undefined && existsSync(file));
}
/**
 * What we read of the reports of vitest, Playwright and the conformance run.
 * @typedef {{counts: {passed: number, failed: number, skipped: number},
 *   numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   stats: {expected: number, flaky: number, unexpected: number, skipped: number}}} Report
 */
/**
 * A test runner with a JSON report of its own. A non-zero exit without a failed test counts as one failure.
 * @param {string} name @param {string[]} args @param {Record<string, string>} env @param {string} report
 * @param {(report: Report) => [number, number, number]} read
 */
function suite(name, args, env, report, read) {
  const ok = run(name, args, env);
  if (!existsSync(report)) return count(0, 1, 0);
  const [passed, failed, skipped] = read(JSON.parse(readFileSync(report, "utf8")));
  count(passed, !ok && failed === 0 ? 1 : failed, skipped);
}

installOnDebian();
check("oxfmt", ["--check", "."]);
check("oxlint", ["--type-aware"]);
check("node", ["scripts/check-escapes.mjs"]);
check("depcruise", ["--config", ".dependency-cruiser.cjs", "shared", "electron", "renderer"]);
check("vue-tsc", ["-b"]);
check("knip", []);
check("vite", ["build", "--app", "--logLevel", "warn"]);
// Before the tests that use them: fetching takes longer than any test may.
for (const which of soak ? /** @type {const} */ (["small", "large"]) : /** @type {const} */ (["small"])) {
  const fetched = fetchServers(which);
  if ("missing" in fetched) console.log(`# ${which} real MCP servers skipped: ${fetched.missing}`);
}
const unit = path.join(out, "unit.json");
suite(
  "vitest",
  ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unit}`],
  {},
  unit,
  (r) => [r.numPassedTests, r.numFailedTests, r.numPendingTests + r.numTodoTests],
);
const conformance = path.join(out, "conformance.json");
suite("node", ["scripts/conformance.mjs"], {}, conformance, ({ counts }) => [
  counts.passed,
  counts.failed,
  counts.skipped,
]);
const chromium = browser();
if (chromium) {
  const e2e = path.join(out, "e2e.json");
  suite("playwright", ["test"], { CHROMIUM: chromium, NACRE_E2E_REPORT: e2e }, e2e, ({ stats }) => [
    stats.expected + stats.flaky,
    stats.unexpected,
    stats.skipped,
  ]);
} else {
  console.log("# e2e skipped: no Chromium or Chrome was found (set CHROMIUM to its path)");
  count(0, 0, 1);
}
if (!existsSync("/usr/bin/bwrap") && process.platform === "linux")
  console.log("# sandbox tests skipped: bubblewrap is not installed");
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;
