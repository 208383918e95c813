import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { proofSize } from "../kit/proofs.testkit.ts";
import { type Bench, createBench } from "./tools.testkit.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.stop());

/** Swaps the folder for a link to the outside and back, as fast as it can, in a thread of its own. */
const swapper = `
  const { workerData, parentPort } = require("node:worker_threads");
  const fs = require("node:fs");
  const { folder, kept, link, flag } = workerData;
  const stop = new Int32Array(flag);
  // A writer may have made the folder anew in the moment when there was none.
  const put = (from) => {
    for (;;) {
      try {
        return fs.renameSync(from, folder);
      } catch {
        try { fs.rmSync(folder, { recursive: true, force: true }); } catch {}
      }
    }
  };
  parentPort.postMessage("ready");
  while (Atomics.load(stop, 0) === 0) {
    fs.renameSync(folder, kept);
    put(link);
    fs.renameSync(folder, link);
    put(kept);
  }
`;
it.runIf(process.platform === "linux")(
  "a folder that is swapped for a link between check and use lets no tool read or write outside",
  async () => {
    const outside = path.join(bench.root, "outside");
    const inside = path.join(bench.workspace, "inside");
    fs.mkdirSync(outside);
    fs.mkdirSync(inside);
    for (const name of ["read", "edit"]) {
      fs.writeFileSync(path.join(outside, name), "secret text");
      fs.writeFileSync(path.join(inside, name), "harmless text");
    }
    fs.symlinkSync(outside, path.join(bench.root, "link"));
    const flag = new SharedArrayBuffer(4);
    const workerData = {
      folder: inside,
      kept: path.join(bench.root, "kept"),
      link: path.join(bench.root, "link"),
      flag,
    };
    const worker = new Worker(swapper, { eval: true, workerData });
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    await new Promise((resolve) => worker.once("message", resolve));
    const outcomes = { done: 0, refused: 0 };
    for (let round = 0; round < proofSize(25, 1_000); round += 1) {
      const results = [
        await bench.call("write_file", { path: `inside/new-${round % 7}`, content: "x" }),
        await bench.call("edit_file", { path: "inside/edit", old_text: "text", new_text: "text" }),
        await bench.call("edit_file", { path: "inside/edit", old_text: "secret", new_text: "changed" }),
        await bench.call("read_file", { path: "inside/read" }),
        await bench.call("grep", { pattern: "secret", path: "inside" }),
        await bench.call("list_dir", { path: "inside" }),
      ];
      for (const { isError, output } of results) {
        outcomes[isError ? "refused" : "done"] += 1;
        expect(output).not.toContain("secret text");
      }
    }
    Atomics.store(new Int32Array(flag), 0, 1);
    await ended;
    expect(fs.readdirSync(outside).sort()).toEqual(["edit", "read"]);
    for (const name of ["read", "edit"])
      expect(fs.readFileSync(path.join(outside, name), "utf8")).toBe("secret text");
    expect(outcomes.done).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  },
  600_000,
);
