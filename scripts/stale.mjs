// Is the build older than what it was made from?
import { readdirSync, statSync } from "node:fs";
import path from "node:path";

const sources = ["shared", "electron", "renderer", "vite.config.ts", "package.json"];
/** One file of each build: they are written in parallel, and the oldest counts. */
const outputs = [
  "dist/node/cli.cjs",
  "dist/node/main.cjs",
  "dist/preload/preload.cjs",
  "dist/renderer/index.html",
];

/**
 * Time of the newest change in ms; a folder's own time tells of what was removed from it.
 * @param {string} entry @returns {number}
 */
function newest(entry) {
  const stat = statSync(entry);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(entry)
    .filter((name) => !name.includes(".test."))
    .reduce((time, name) => Math.max(time, newest(path.join(entry, name))), stat.mtimeMs);
}

/**
 * True where the build is missing or older than its sources.
 * @param {string} root the project
 */
export function isStale(root) {
  const built = outputs.map((file) => statSync(path.join(root, file), { throwIfNoEntry: false })?.mtimeMs);
  const oldest = Math.min(...built.map((time) => time ?? -Infinity));
  return sources.some((name) => newest(path.join(root, name)) > oldest);
}
