import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFile, readWhole, withFolder, writeWhole } from "./checked-files.ts";

let root: string;
beforeEach(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-checked-")));
});
afterEach(() => fs.rmSync(root, { recursive: true }));
const at = (...names: string[]): string => path.join(root, ...names);
const make = (name: string, text = ""): string => {
  fs.mkdirSync(path.dirname(at(name)), { recursive: true });
  fs.writeFileSync(at(name), text);
  return at(name);
};
const posix = process.platform !== "win32";

describe("reading", () => {
  it("gives the content", async () => {
    await expect(readWhole(make("a", "text"), "a", 100)).resolves.toEqual(Buffer.from("text"));
  });
  it.runIf(posix)("names what is no regular file, and never waits on a pipe", async () => {
    fs.mkdirSync(at("folder"));
    await expect(readWhole(at("folder"), "folder", 100)).rejects.toThrow(/folder is a folder, not a file/);
    await expect(readWhole("/dev/zero", "/dev/zero", 100)).rejects.toThrow(/is a device, not a file/);
    await expect(readWhole(at("none"), "none", 100)).rejects.toThrow(/none does not exist/);
  });
  it("refuses what is too large, with the sizes", async () => {
    await expect(readWhole(make("a", "12345"), "a", 4)).rejects.toThrow(/a is too large.*5 bytes, at most 4/);
  });
  it.runIf(posix)("refuses a file whose folder became a link after the decision", async () => {
    make("outside/secret", "secret");
    make("inside/secret", "harmless");
    fs.renameSync(at("inside"), at("moved"));
    fs.symlinkSync(at("outside"), at("inside"));
    await expect(openFile(at("inside", "secret"), "inside/secret")).rejects.toThrow(
      /changed while it was being opened.*outside/,
    );
  });
  it.runIf(posix)("refuses a file that became a link itself", async () => {
    make("secret", "secret");
    fs.symlinkSync(at("secret"), at("a"));
    await expect(openFile(at("a"), "a")).rejects.toThrow(/changed while/);
  });
});

describe("writing", () => {
  it("makes folders, keeps the mode, leaves no temporary file", async () => {
    await writeWhole(at("a", "b", "c.txt"), "a/b/c.txt", "new");
    if (posix) fs.chmodSync(at("a", "b", "c.txt"), 0o755);
    await writeWhole(at("a", "b", "c.txt"), "a/b/c.txt", "newer");
    expect(fs.readFileSync(at("a", "b", "c.txt"), "utf8")).toBe("newer");
    if (posix) expect(fs.statSync(at("a", "b", "c.txt")).mode & 0o777).toBe(0o755);
    expect(fs.readdirSync(at("a", "b"))).toEqual(["c.txt"]);
  });
  it("names a folder in the way, and a file in place of a folder", async () => {
    make("a/b", "file");
    await expect(writeWhole(at("a"), "a", "x")).rejects.toThrow(/a is a folder, not a file/);
    await expect(writeWhole(at("a", "b", "c"), "a/b/c", "x")).rejects.toThrow(
      /a\/b\/c.*(is a file|no folder|not a folder)/,
    );
    expect(fs.readFileSync(at("a", "b"), "utf8")).toBe("file");
  });
  it.runIf(posix)("refuses a folder that became a link", async () => {
    fs.mkdirSync(at("outside"));
    fs.symlinkSync(at("outside"), at("inside"));
    await expect(writeWhole(at("inside", "x"), "inside/x", "x")).rejects.toThrow(/changed while/);
    await expect(writeWhole(at("inside", "new", "x"), "inside/new/x", "x")).rejects.toThrow(/changed while/);
    expect(fs.readdirSync(at("outside"))).toEqual([]);
  });
  it.runIf(posix)("refuses a file that became a link, and leaves its target alone", async () => {
    make("secret", "secret");
    fs.symlinkSync(at("secret"), at("a"));
    await expect(writeWhole(at("a"), "a", "x")).rejects.toThrow(/changed while/);
    expect(fs.readFileSync(at("secret"), "utf8")).toBe("secret");
  });
});

describe("folders", () => {
  it("stay what they were while they are used", async () => {
    make("folder/a");
    const names = await withFolder(at("folder"), { shown: "folder" }, (folder) =>
      fs.promises.readdir(folder),
    );
    expect(names).toEqual(["a"]);
    await expect(withFolder(at("folder", "a"), { shown: "a" }, () => Promise.resolve())).rejects.toThrow(
      /folder/,
    );
    await expect(withFolder(at("none"), { shown: "none" }, () => Promise.resolve())).rejects.toThrow(
      /none does not exist/,
    );
  });
  it.runIf(process.platform === "linux")("are reached by their handle after a swap", async () => {
    make("folder/a");
    make("outside/b");
    const names = await withFolder(at("folder"), { shown: "folder" }, (folder) => {
      fs.renameSync(at("folder"), at("moved"));
      fs.symlinkSync(at("outside"), at("folder"));
      return fs.promises.readdir(folder);
    });
    expect(names).toEqual(["a"]);
  });
});

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
  "a thousand races with a swapped folder: nothing outside is read or written",
  async () => {
    make("outside/secret", "secret");
    make("inside/secret", "harmless");
    fs.symlinkSync(at("outside"), at("link"));
    const flag = new SharedArrayBuffer(4);
    const workerData = { folder: at("inside"), kept: at("kept"), link: at("link"), flag };
    const worker = new Worker(swapper, { eval: true, workerData });
    const ended = new Promise((resolve) => worker.once("exit", resolve));
    await new Promise((resolve) => worker.once("message", resolve));
    const outcomes = { written: 0, refused: 0 };
    for (let i = 0; i < 1_000; i += 1) {
      try {
        await writeWhole(at("inside", `new-${i % 7}`), "x", "x");
        outcomes.written += 1;
      } catch {
        // Refused or absent at that very moment: what counts is that nothing arrived outside.
        outcomes.refused += 1;
      }
      const text = await readWhole(at("inside", "secret"), "x", 100).catch(() => Buffer.from("refused"));
      expect(text.toString()).not.toBe("secret");
    }
    Atomics.store(new Int32Array(flag), 0, 1);
    await ended;
    expect(fs.readdirSync(at("outside"))).toEqual(["secret"]);
    expect(outcomes.written).toBeGreaterThan(0);
    expect(outcomes.refused).toBeGreaterThan(0);
  },
);
