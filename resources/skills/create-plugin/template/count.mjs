import { readFileSync, realpathSync } from "node:fs";
import path from "node:path";
import process from "node:process";

let input = "";
for await (const chunk of process.stdin) input += chunk;
const { text, file } = JSON.parse(input);

/** @param {string} name a path in the workspace; what leads out of it is refused */
function read(name) {
  const workspace = realpathSync(process.cwd());
  const real = realpathSync(path.resolve(workspace, name));
  if (path.relative(workspace, real).startsWith("..")) throw new Error(`${name} lies outside the workspace`);
  return readFileSync(real, "utf8");
}
try {
  if (text === undefined && file === undefined) throw new Error("give a text or a file");
  const words = (text ?? read(file)).split(/\s+/).filter((word) => word !== "");
  process.stdout.write(`${words.length} words\n`);
} catch (error) {
  process.stdout.write(`count_words: ${error.message}\n`);
  process.exitCode = 1;
}
