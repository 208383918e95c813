// npm start [-- FOLDER] [--browser] [--no-open] [--port N]: builds where needed, then opens the desktop app where
// Electron's executable is here or can be fetched, else the same app in a browser.
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { electronBinary, fetchElectron } from "./electron-binary.mjs";
import { isStale } from "./stale.mjs";

const root = path.join(import.meta.dirname, "..");

/** @returns {boolean} */
function build() {
  console.error("Building…");
  const vite = path.join(root, "node_modules/vite/bin/vite.js");
  const args = [vite, "build", "--app", "--logLevel", "warn"];
  return spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] }).status === 0;
}

/** @param {boolean} browser @returns {Promise<string | undefined>} Electron's executable; undefined: the browser */
async function desktop(browser) {
  if (browser) return undefined;
  const here = electronBinary();
  if (here) return here;
  const why = await fetchElectron();
  const fetched = electronBinary();
  if (!fetched)
    console.error(`Electron cannot be had here (${why ?? "incomplete download"}): opening in the browser.`);
  return fetched;
}

/** What was typed; undefined where that cannot be understood. */
function parsed() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        browser: { type: "boolean", default: false },
        "no-open": { type: "boolean", default: false },
        port: { type: "string" },
      },
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error("Usage: npm start [-- FOLDER] [--browser] [--no-open] [--port N]");
    return undefined;
  }
}

async function main() {
  const typed = parsed();
  if (!typed) return 2;
  const { values, positionals } = typed;
  // npm runs scripts in the project; the caller's folder is in INIT_CWD.
  const folder = path.resolve(process.env["INIT_CWD"] ?? process.cwd(), positionals[0] ?? ".");
  if (!existsSync(folder)) {
    console.error(`There is no folder ${folder}.`);
    return 2;
  }
  if (isStale(root) && !build()) {
    console.error("The build failed: see the messages above.");
    return 1;
  }
  const binary = await desktop(values.browser);
  const serve = [
    path.join(root, "dist/node/cli.cjs"),
    "serve",
    "--workspace",
    folder,
    ...(values["no-open"] ? ["--no-open"] : []),
    ...(values.port === undefined ? [] : ["--port", values.port]),
  ];
  const child = binary
    ? spawn(binary, [root, folder], { stdio: "inherit" })
    : spawn(process.execPath, serve, { stdio: ["inherit", "pipe", "inherit"] });
  if (child.stdout) {
    // The first line is for programs: {"url", "pid"}.
    const lines = createInterface({ input: child.stdout });
    lines.once("line", (line) => {
      console.log(`Nacre: ${JSON.parse(line).url}`);
      lines.on("line", (more) => console.log(more));
    });
  }
  for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
    process.on(signal, () => {
      // A terminal sends its Ctrl+C to the child as well.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

process.exitCode = await main();
