// Runs client scenarios of the MCP conformance suite one after the other in one process, under Node 22 or later:
//   node runner.mjs SUITE.js <<< '[{"name": "initialize", "version": "2025-11-25"}]'
// The suite is a program for one scenario. Loading what it depends on takes longer than most scenarios, so it is loaded once here
// and the program itself anew for each of them. One JSON line a scenario: { name, version, ok, text }.
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

const [suite = "", command = "", timeout = ""] = process.argv.slice(2);
const [node = ""] = process.argv;
const scenarios = JSON.parse(await text(process.stdin));
const exit = process.exit.bind(process);
const print = process.stdout.write.bind(process.stdout);
/** @type {string[]} */
let told = [];
for (const stream of [process.stdout, process.stderr])
  stream.write = (/** @type {unknown} */ chunk) => {
    told.push(String(chunk));
    return true;
  };

/** @param {string} name @param {string} version @param {number} turn @returns {Promise<number>} its exit code */
function play(name, version, turn) {
  return new Promise((resolve, reject) => {
    // The program ends itself by this; what stands behind the call is never reached in it.
    process.exit = (code) => {
      resolve(Number(code ?? 0));
      return /** @type {never} */ (new Promise(() => undefined));
    };
    process.argv = [node, suite, "client", "--command", command, "--timeout", timeout];
    process.argv.push("--scenario", name, "--spec-version", version, "--force");
    import(`${pathToFileURL(suite).href}?turn=${turn}`).catch(reject);
  });
}
for (const [turn, { name, version }] of scenarios.entries()) {
  told = [];
  const code = await play(name, version, turn).catch((error) => {
    told.push(`Error: ${error}`);
    return 1;
  });
  print(`${JSON.stringify({ name, version, ok: code === 0, text: told.join("") })}\n`);
}
exit(0);
