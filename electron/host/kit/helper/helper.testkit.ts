import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { forkHelper, helperSettled, keepChildren, run, spawn } from "../process.ts";
import type { HelperProcess } from "./start-helper.ts";

export interface HelperKit {
  /** `helper.cjs`, built from the sources. */
  readonly entry: string;
  /** Those that were started, the last one last. */
  readonly started: readonly HelperProcess[];
  readonly folder: string;
  /** Ends the helper and removes what was built. */
  remove(): Promise<void>;
}

/** Builds the helper, and has it start every program from now on. */
export async function helperKit(spawnAbove = 0): Promise<HelperKit> {
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
  const entry = path.join(folder, "helper.cjs");
  const started: HelperProcess[] = [];
  const release = keepChildren(
    {
      folder: path.join(folder, "run"),
      env: process.env,
      report: () => undefined,
      startHelper(environment) {
        const helper = forkHelper(entry, environment);
        started.push(helper);
        return helper;
      },
    },
    spawnAbove,
  );
  return {
    entry,
    started,
    folder,
    async remove() {
      await release();
      fs.rmSync(folder, { recursive: true, force: true });
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
