import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { helperSettled, keepChildren, run, spawn } from "../process.ts";
import { forkHelper } from "./fork-helper.ts";
import type { StartHelper } from "./start-helper.ts";

/** The helper, built from the sources. */
export interface HelperBuild {
  readonly startHelper: StartHelper;
  readonly folder: string;
  /** How many were started. */
  started(): number;
  /** Removes what was built. */
  readonly remove: () => void;
}
export async function helperBuild(): Promise<HelperBuild> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-helper-"));
  await build({
    configFile: false,
    logLevel: "error",
    build: {
      ssr: fileURLToPath(import.meta.resolve("./main.ts")),
      outDir: folder,
      target: "node20",
      rolldownOptions: { output: { format: "cjs", entryFileNames: "helper.cjs" } },
    },
  });
  let count = 0;
  return {
    folder,
    startHelper: (environment) => {
      count++;
      return forkHelper(path.join(folder, "helper.cjs"), environment);
    },
    started: () => count,
    remove: () => fs.rmSync(folder, { recursive: true, force: true }),
  };
}
export interface HelperKit {
  /** Ends the helper and removes what was built. */
  remove(): Promise<void>;
}
/** Builds the helper, and has it start every program from now on. */
export async function helperKit(spawnAbove = 0): Promise<HelperKit> {
  const { startHelper, folder, remove } = await helperBuild();
  const release = keepChildren(
    { folder: path.join(folder, "run"), env: process.env, report: () => undefined, startHelper },
    spawnAbove,
  );
  return {
    async remove() {
      await release();
      remove();
    },
  };
}
/** Has a child of this process started by whatever starts them now, and gives the pid of its parent. */
export async function parentOfChildren(): Promise<number> {
  const child = await spawn({ command: "sleep", args: ["1000"] });
  await helperSettled();
  await child.stop();
  const { output } = await run({ command: "sh", args: ["-c", "echo $PPID"] });
  return Number(output);
}
