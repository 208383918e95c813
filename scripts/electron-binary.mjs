// Where Electron's executable is, by looking at files alone: requiring the package would start its download.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const require = createRequire(import.meta.url);
const probeMs = 3_000;
const downloadMs = 5 * 60_000;

/** @returns {string | undefined} the folder of the electron package */
function packageFolder() {
  try {
    return path.dirname(require.resolve("electron/package.json"));
  } catch {
    return undefined;
  }
}

/**
 * Path of Electron's executable; undefined where none is unpacked. Takes the same environment variable as the
 * electron package itself (`ELECTRON_OVERRIDE_DIST_PATH`), and counts a half-unpacked or older download as none.
 * @param {NodeJS.ProcessEnv} [env] @param {string} [folder] the electron package
 * @returns {string | undefined}
 */
export function electronBinary(env = process.env, folder = packageFolder()) {
  const name =
    { darwin: "Electron.app/Contents/MacOS/Electron", win32: "electron.exe" }[
      /** @type {string} */ (process.platform)
    ] ?? "electron";
  const override = env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const file = path.join(override, name);
    return existsSync(file) ? file : undefined;
  }
  if (folder === undefined) return undefined;
  const file = path.join(folder, "dist", name);
  const stamp = path.join(folder, "dist", "version");
  if (!existsSync(file) || !existsSync(stamp)) return undefined;
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  return readFileSync(stamp, "utf8").trim().replace(/^v/, "") === version ? file : undefined;
}

/**
 * Fetches Electron's executable once, if its server answers within 3 s; at most 5 minutes in all.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string | undefined>} why it could not be had
 */
export async function fetchElectron(env = process.env) {
  if (env.CI) return "CI is set";
  if (packageFolder() === undefined) return "the electron package is not installed";
  const mirror = env.ELECTRON_MIRROR ?? env.npm_config_electron_mirror ?? "https://github.com";
  if (!URL.canParse(mirror)) return `ELECTRON_MIRROR is no URL: ${mirror}`;
  try {
    await fetch(mirror, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(probeMs) });
  } catch (error) {
    const cause = /** @type {{ name: string, cause?: { code?: string } }} */ (error);
    return `${new URL(mirror).host} does not answer (${cause.cause?.code ?? cause.name})`;
  }
  console.error("Fetching Electron, once…");
  const child = spawn(process.execPath, [require.resolve("electron/install.js")], {
    stdio: ["ignore", 2, 2],
    timeout: downloadMs,
    env,
  });
  const code = await new Promise((resolve) => {
    child.on("close", resolve);
    child.on("error", resolve);
  });
  return code === 0 ? undefined : "its download failed";
}
