import fs from "node:fs";
import { forkHelper } from "./helper/fork-helper.ts";
import { closeInherited } from "./inherited-descriptors.ts";
import { helperSettled, keepChildren, run, spawn } from "./process.ts";

/**
 * A program for a shell to start with descriptors left open: what its children have open, by whatever starts them, as JSON.
 * Arguments: where the helper is, a folder, and "keep" to close nothing first.
 */
const [helper = "", folder = "", keep] = process.argv.slice(2);
if (keep === undefined) closeInherited();
const list = { command: "sh", args: ["-c", "ls /proc/self/fd"] };
const listed = async (): Promise<string> => (await run(list)).output;

// What is waited for below does not hold this process.
const alive = setInterval(() => undefined, 1_000);
const ran = await listed();
const release = keepChildren(
  { folder, env: process.env, report: () => undefined, startHelper: (env) => forkHelper(helper, env) },
  0,
);
const child = await spawn(list);
let spawned = "";
child.stdout.setEncoding("utf8").on("data", (text: string) => (spawned += text));
await child.exit;
await helperSettled();
const parent = (await run({ command: "sh", args: ["-c", "echo $PPID"] })).output.trim();
const byHelper = await listed();
const ofHelper = fs.readdirSync(`/proc/${parent}/fd`).join("\n");
await release();
clearInterval(alive);
process.stdout.write(
  JSON.stringify({ ran, spawned, byHelper, ofHelper, helped: parent !== String(process.pid) }),
);
