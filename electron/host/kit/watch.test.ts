import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FolderWatch, type WatchedFolder, type WatchOptions, watchFolders } from "./watch.ts";

let folder: string;
let watch: FolderWatch | undefined;
let heard: string[][];
beforeEach(() => {
  folder = fs.realpathSync.native(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-watch-")));
  heard = [];
});
afterEach(async () => {
  await watch?.stop();
  fs.rmSync(folder, { recursive: true, force: true });
});
const at = (...names: string[]): string => path.join(folder, ...names);
async function start(folders: readonly WatchedFolder[], options?: WatchOptions): Promise<FolderWatch> {
  watch = watchFolders(folders, (changed) => heard.push([...changed].sort()), options);
  await watch.settled();
  return watch;
}
/** What was told after the change; then the list is empty again. */
async function after(change: () => void): Promise<string[]> {
  heard = [];
  change();
  while (heard.length === 0) await wait(5);
  // Further events of the same change.
  await wait(250);
  const all = [...new Set(heard.flat())].sort();
  heard = [];
  return all;
}

describe("watchFolders", () => {
  it("tells of entries that are added, written, renamed and removed", async () => {
    fs.mkdirSync(at("a"));
    await start([at("a")]);
    expect(await after(() => fs.writeFileSync(at("a", "x"), "1"))).toEqual([at("a")]);
    expect(await after(() => fs.appendFileSync(at("a", "x"), "2"))).toEqual([at("a")]);
    expect(await after(() => fs.renameSync(at("a", "x"), at("a", "y")))).toEqual([at("a")]);
    expect(await after(() => fs.rmSync(at("a", "y")))).toEqual([at("a")]);
  });
  it("tells of many changes at once", async () => {
    fs.mkdirSync(at("a"));
    fs.mkdirSync(at("b"));
    await start([at("a"), at("b")]);
    fs.writeFileSync(at("a", "1"), "");
    fs.writeFileSync(at("b", "1"), "");
    while (heard.length === 0) await wait(5);
    expect(heard).toEqual([[at("a"), at("b")]]);
  });
  it("is silent about folders inside", async () => {
    fs.mkdirSync(at("a", "inside"), { recursive: true });
    fs.mkdirSync(at("b"));
    await start([at("a"), at("b")]);
    fs.writeFileSync(at("a", "inside", "x"), "");
    expect(await after(() => fs.writeFileSync(at("b", "x"), ""))).toEqual([at("b")]);
  });
  it("tells when a missing folder appears, and follows what is in it", async () => {
    await start([at("x", "y", "z")]);
    fs.writeFileSync(at("other"), "");
    expect(await after(() => fs.mkdirSync(at("x", "y", "z"), { recursive: true }))).toEqual([
      at("x", "y", "z"),
    ]);
    expect(await after(() => fs.writeFileSync(at("x", "y", "z", "file"), ""))).toEqual([at("x", "y", "z")]);
  });
  it("finds the way down step by step", async () => {
    await start([at("x", "y")]);
    fs.mkdirSync(at("x"));
    await wait(300);
    expect(heard).toEqual([]);
    expect(await after(() => fs.mkdirSync(at("x", "y")))).toEqual([at("x", "y")]);
  });
  it("tells when a folder goes, comes again or is replaced", async () => {
    fs.mkdirSync(at("a"));
    await start([at("a")]);
    expect(await after(() => fs.rmdirSync(at("a")))).toEqual([at("a")]);
    expect(await after(() => fs.mkdirSync(at("a")))).toEqual([at("a")]);
    expect(await after(() => fs.writeFileSync(at("a", "x"), ""))).toEqual([at("a")]);
    const replace = (): void => {
      fs.mkdirSync(at("new"));
      fs.renameSync(at("a"), at("old"));
      fs.renameSync(at("new"), at("a"));
    };
    expect(await after(replace)).toEqual([at("a")]);
    expect(await after(() => fs.writeFileSync(at("a", "y"), ""))).toEqual([at("a")]);
  });
  it("tells of what changed in a new folder between the first look at it and its watch, once", async () => {
    const old = ["quiet", "edited", "emptied", "other"];
    for (const name of old) {
      fs.mkdirSync(at(name));
      fs.writeFileSync(at(name, "SKILL.md"), "one");
    }
    // Longer than file times are coarse.
    await wait(100);
    const began = Date.now();
    await wait(100);
    fs.writeFileSync(at("edited", "SKILL.md"), "two");
    fs.rmSync(at("emptied", "SKILL.md"));
    fs.appendFileSync(at("other", "SKILL.md"), "x");
    watch = watchFolders([], (changed) => heard.push([...changed].sort()));
    const names = new Set(["SKILL.md"]);
    const folders = ["quiet", "edited", "emptied"].map((name) => ({ folder: at(name), names }));
    const all = [...folders, { folder: at("other"), names: new Set(["notes.md"]) }];
    const told = await after(() => watch?.update(all, began));
    expect(told).toEqual([at("edited"), at("emptied")]);
    watch.update([...all], began);
    await watch.settled();
    expect(await after(() => fs.writeFileSync(at("quiet", "SKILL.md"), "two"))).toEqual([at("quiet")]);
  });
  it("takes another list", async () => {
    fs.mkdirSync(at("a"));
    fs.mkdirSync(at("b"));
    (await start([at("a")])).update([at("b")]);
    await watch?.settled();
    fs.writeFileSync(at("a", "x"), "");
    expect(await after(() => fs.writeFileSync(at("b", "x"), ""))).toEqual([at("b")]);
  });
  it("sets up thousands in slices", async () => {
    const folders = Array.from({ length: 3000 }, (_, index) => at(String(index)));
    for (const each of folders) fs.mkdirSync(each);
    await start(folders);
    const last = at("2999");
    while (heard.length === 0) {
      fs.writeFileSync(path.join(last, "x"), String(Math.random()));
      await wait(20);
    }
    expect(heard[0]).toEqual([last]);
  });
  it("looks by itself where the system has no watches left, and says so once", async () => {
    const reasons: string[] = [];
    const none = (): never => {
      throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    };
    fs.mkdirSync(at("a"));
    await start([at("a"), at("b")], {
      watch: none,
      sweepMs: 20,
      onFallback: (reason) => reasons.push(reason),
    });
    // The first look is what later ones are compared with.
    while (heard.length === 0) {
      fs.writeFileSync(at("a", "x"), "x".repeat(Math.random() * 1000));
      await wait(20);
    }
    await wait(250);
    expect(await after(() => fs.writeFileSync(at("a", "x"), "y".repeat(2000)))).toEqual([at("a")]);
    expect(await after(() => fs.mkdirSync(at("b")))).toEqual([at("b")]);
    expect(reasons).toEqual([expect.stringContaining("ENOSPC")]);
  });
  it("of a folder with names, hears those alone", async () => {
    fs.mkdirSync(at("a", "below"), { recursive: true });
    fs.mkdirSync(at("b"));
    await start([{ folder: at("a"), names: new Set(["SKILL.md"]) }, at("b")]);
    fs.writeFileSync(at("a", "notes.md"), "");
    fs.writeFileSync(at("a", "below", "SKILL.md"), "");
    expect(await after(() => fs.writeFileSync(at("b", "x"), ""))).toEqual([at("b")]);
    expect(await after(() => fs.writeFileSync(at("a", "SKILL.md"), ""))).toEqual([at("a")]);
    // As editors save: written beside it and moved over it.
    fs.writeFileSync(at("new"), "other");
    expect(await after(() => fs.renameSync(at("new"), at("a", "SKILL.md")))).toEqual([at("a")]);
  });
  it("tells when a folder above is moved away, and when it is back", async () => {
    const wanted = at("w", "x", "skills");
    fs.mkdirSync(wanted, { recursive: true });
    await start([wanted]);
    for (const [from, to] of [
      [at("w", "x"), at("w", "y")],
      [at("w"), at("v")],
    ] as const) {
      expect(await after(() => fs.renameSync(from, to))).toEqual([wanted]);
      expect(await after(() => fs.renameSync(to, from))).toEqual([wanted]);
      expect(await after(() => fs.writeFileSync(path.join(wanted, "z"), ""))).toEqual([wanted]);
    }
  });
  it("follows a folder that is removed and made again in one go", async () => {
    fs.mkdirSync(at("a"));
    await start([at("a")]);
    const again = (): void => {
      fs.rmdirSync(at("a"));
      fs.mkdirSync(at("a"));
    };
    expect(await after(again)).toEqual([at("a")]);
    expect(await after(() => fs.writeFileSync(at("a", "x"), ""))).toEqual([at("a")]);
  });
  it("goes by the real folder of a link, on the way too, and hears when the link leads elsewhere", async () => {
    fs.mkdirSync(at("one", "skills"), { recursive: true });
    fs.mkdirSync(at("two", "skills"), { recursive: true });
    fs.symlinkSync("one", at("link"));
    const wanted = at("link", "skills");
    await start([wanted]);
    expect(await after(() => fs.writeFileSync(at("one", "skills", "x"), ""))).toEqual([wanted]);
    const turn = (): void => {
      fs.symlinkSync("two", at("turned"));
      fs.renameSync(at("turned"), at("link"));
    };
    expect(await after(turn)).toEqual([wanted]);
    expect(await after(() => fs.writeFileSync(at("two", "skills", "x"), ""))).toEqual([wanted]);
    fs.writeFileSync(at("one", "skills", "y"), "");
    await wait(250);
    expect(heard).toEqual([]);
  });
  it("waits for the target of a link that leads to nothing", async () => {
    fs.symlinkSync(path.join("store", "deep"), at("link"));
    await start([at("link")]);
    expect(await after(() => fs.mkdirSync(at("store", "deep"), { recursive: true }))).toEqual([at("link")]);
    expect(await after(() => fs.writeFileSync(at("store", "deep", "x"), ""))).toEqual([at("link")]);
  });
  it("a link to itself is a folder that is missing", async () => {
    fs.symlinkSync("loop", at("loop"));
    await start([at("loop", "skills")]);
    const untie = (): void => {
      fs.rmSync(at("loop"));
      fs.mkdirSync(at("loop", "skills"), { recursive: true });
    };
    expect(await after(untie)).toEqual([at("loop", "skills")]);
  });
  it("calls nobody after the stop", async () => {
    fs.mkdirSync(at("a"));
    const stopped = await start([at("a")]);
    fs.writeFileSync(at("a", "x"), "");
    await stopped.stop();
    await wait(250);
    expect(heard).toEqual([]);
  });
});
