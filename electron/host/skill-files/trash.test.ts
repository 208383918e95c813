import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemDisk, type Disk } from "./move-tree.ts";
import { createTrash, type Trash } from "./trash.ts";

let top: string;
let now = 1_000_000;
const clock = { now: () => now };
beforeEach(() => {
  now = 1_000_000;
  top = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-trash-")));
  fs.mkdirSync(at("skills/pdf/scripts"), { recursive: true });
  fs.writeFileSync(at("skills/pdf/SKILL.md"), "text\r\n", { mode: 0o640 });
  fs.writeFileSync(at("skills/pdf/scripts/run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  fs.symlinkSync("../../elsewhere", at("skills/pdf/link"));
});
afterEach(() => fs.rmSync(top, { recursive: true, force: true }));
const at = (name: string): string => path.join(top, name);
const trashOn = (disk?: Disk): Trash =>
  createTrash({ folder: at("data/trash"), clock, ...(disk ? { disk } : {}) });
const pdf = () => ({ name: "pdf", path: at("skills/pdf") });
/** Every file below the skills folder, and every link, hidden ones too. */
const tree = (folder = at("skills")): Record<string, string> =>
  Object.fromEntries(
    (fs.readdirSync(folder, { recursive: true, withFileTypes: true }) as fs.Dirent[]).flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(folder, file);
      if (entry.isSymbolicLink()) return [[name, `→ ${fs.readlinkSync(file)}`]];
      return entry.isFile() ? [[name, fs.readFileSync(file, "utf8")]] : [];
    }),
  );
const whole = {
  "pdf/SKILL.md": "text\r\n",
  "pdf/scripts/run.sh": "#!/bin/sh\n",
  "pdf/link": "→ ../../elsewhere",
};
/** As if the trash lay on another disk. */
const across: Disk = {
  ...systemDisk,
  rename(from, to) {
    if (path.dirname(from) === path.dirname(to)) return systemDisk.rename(from, to);
    return Promise.reject(Object.assign(new Error("EXDEV: cross-device link"), { code: "EXDEV" }));
  },
};

test("what is put in the trash comes back to the very place as it was, also after a restart", async () => {
  const { undo } = await trashOn().put(pdf());
  expect(tree()).toEqual({});
  const afterRestart = trashOn();
  expect(afterRestart.list()).toMatchObject([{ undo, name: "pdf", path: at("skills/pdf") }]);
  await afterRestart.restore(undo);
  expect(tree()).toEqual(whole);
  expect(fs.statSync(at("skills/pdf/scripts/run.sh")).mode & 0o777).toBe(0o755);
  expect(fs.readdirSync(at("data/trash"))).toEqual([]);
  await expect(afterRestart.restore(undo)).rejects.toMatchObject({ code: "not_found" });
});
test("across disks it is copied with modes and links and nothing stays behind", async () => {
  const { undo } = await trashOn(across).put(pdf());
  expect(tree()).toEqual({});
  await trashOn(across).restore(undo);
  expect(tree()).toEqual(whole);
  expect(fs.statSync(at("skills/pdf/SKILL.md")).mode & 0o777).toBe(0o640);
  expect(fs.statSync(at("skills/pdf/scripts/run.sh")).mode & 0o777).toBe(0o755);
  expect(fs.readdirSync(at("data/trash"))).toEqual([]);
});
test("a link goes alone: what it leads to stays where it is", async () => {
  fs.mkdirSync(at("store/tool"), { recursive: true });
  fs.writeFileSync(at("store/tool/SKILL.md"), "kept");
  fs.symlinkSync("../store/tool", at("skills/tool"));
  for (const disk of [systemDisk, across]) {
    const { undo } = await trashOn(disk).put({ name: "tool", path: at("skills/tool") });
    expect(fs.readdirSync(at("skills"))).toEqual(["pdf"]);
    expect(tree(at("store"))).toEqual({ "tool/SKILL.md": "kept" });
    await trashOn(disk).restore(undo);
    expect(fs.readlinkSync(at("skills/tool"))).toBe("../store/tool");
  }
});
test("nothing is overwritten by what comes back", async () => {
  const { undo } = await trashOn().put(pdf());
  fs.mkdirSync(at("skills/pdf"));
  await expect(trashOn().restore(undo)).rejects.toMatchObject({ code: "already_exists" });
  expect(tree()).toEqual({});
  fs.rmdirSync(at("skills/pdf"));
  await trashOn().restore(undo);
  expect(tree()).toEqual(whole);
});
test("nothing comes back through a link that was put in the folder's place meanwhile", async () => {
  const { undo } = await trashOn().put(pdf());
  fs.mkdirSync(at("elsewhere"));
  fs.rmdirSync(at("skills"));
  fs.symlinkSync(at("elsewhere"), at("skills"));
  await expect(trashOn().restore(undo)).rejects.toMatchObject({ code: "denied" });
  expect(fs.readdirSync(at("elsewhere"))).toEqual([]);
});
test("a folder that is gone meanwhile is made again", async () => {
  const { undo } = await trashOn().put(pdf());
  fs.rmdirSync(at("skills"));
  await trashOn().restore(undo);
  expect(tree()).toEqual(whole);
});
test("an undo that is a path, or of nobody, restores nothing", async () => {
  await trashOn().put(pdf());
  for (const undo of ["..", "../skills", "", "__proto__", "f".repeat(32), "x".repeat(1_000_000)])
    await expect(trashOn().restore(undo)).rejects.toMatchObject({ code: "not_found" });
});
test("what is no id at all is told apart from what is not there any more", async () => {
  await expect(trashOn().restore("zz")).rejects.toThrow("zz is the id of nothing in the trash");
  await expect(trashOn().restore("f".repeat(32))).rejects.toThrow("it was restored, or 30 days are over");
});
test("of two windows that remove the same at once one does, and the other hears that it is gone", async () => {
  for (const disk of [systemDisk, across]) {
    await trashOn(disk).put(pdf());
    await expect(trashOn(disk).put(pdf())).rejects.toMatchObject({
      code: "not_found",
      message: `it is gone already: ${at("skills/pdf")}`,
    });
    const [kept] = trashOn().list();
    expect(fs.readdirSync(at("data/trash"))).toEqual([kept?.undo]);
    await trashOn().restore(kept?.undo ?? "");
  }
});
test("what lies there for more than 30 days is swept, nothing younger", async () => {
  await trashOn().put(pdf());
  now += 29 * 86_400_000;
  fs.mkdirSync(at("skills/new"));
  const { undo } = await trashOn().put({ name: "new", path: at("skills/new") });
  now += 2 * 86_400_000;
  await trashOn().sweep();
  expect(
    trashOn()
      .list()
      .map((entry) => entry.undo),
  ).toEqual([undo]);
  expect(fs.readdirSync(at("data/trash"))).toEqual([undo]);
});

describe("a move that is cut off at any step loses nothing", () => {
  class Killed extends Error {}
  /** Fails the step of this number, and every one after it where the process is killed. */
  const failing = (step: number, killed: boolean): Disk => {
    let count = 0;
    const guard = (): void => {
      count++;
      if (killed ? count >= step : count === step) throw new Killed(`step ${step}`);
    };
    return {
      rename: async (from, to) => {
        if (path.dirname(from) === path.dirname(to)) guard();
        return across.rename(from, to);
      },
      copyOne: async (from, to) => (guard(), across.copyOne(from, to)),
      makeFolder: async (folder, mode) => (guard(), across.makeFolder(folder, mode)),
      remove: async (folder) => (guard(), across.remove(folder)),
    };
  };
  const steps = Array.from({ length: 12 }, (_none, index) => index + 1);

  test.each(steps)(
    "into the trash, step %i fails: it stands where it stood, or lies whole in the trash",
    async (step) => {
      const outcome = await trashOn(failing(step, false))
        .put(pdf())
        .catch((error: unknown) => error);
      const [kept] = trashOn().list();
      if (outcome instanceof Error) {
        expect(tree()).toMatchObject(whole);
        expect(kept).toBeUndefined();
      } else {
        expect(fs.existsSync(at("skills/pdf"))).toBe(false);
        await trashOn().restore(kept?.undo ?? "");
        expect(tree()).toMatchObject(whole);
      }
    },
  );
  test.each(steps)(
    "into the trash, killed at step %i: a sweep leaves one whole copy in one of the places",
    async (step) => {
      await trashOn(failing(step, true))
        .put(pdf())
        .catch(() => undefined);
      await trashOn().sweep();
      if (fs.existsSync(at("skills/pdf"))) expect(tree()).toEqual(whole);
      else {
        expect(tree()).toEqual({});
        const [kept] = trashOn().list();
        await trashOn().restore(kept?.undo ?? "");
        expect(tree()).toEqual(whole);
      }
      // And it can be removed as ever.
      await trashOn(across).put(pdf());
      expect(tree()).toEqual({});
    },
  );
  test.each(steps)(
    "out of the trash, killed at step %i: it is back, or can be brought back",
    async (step) => {
      const { undo } = await trashOn().put(pdf());
      await trashOn(failing(step, true))
        .restore(undo)
        .catch(() => undefined);
      if (!fs.existsSync(at("skills/pdf"))) await trashOn(across).restore(undo);
      expect(tree()).toMatchObject(whole);
    },
  );
  test("what is written into it while it is copied is not lost", async () => {
    const disk: Disk = {
      ...across,
      async rename(from, to) {
        // Between the copy and the moment in which nobody reaches it any more.
        if (from === at("skills/pdf") && path.dirname(from) === path.dirname(to))
          fs.writeFileSync(at("skills/pdf/SKILL.md"), "written meanwhile");
        return across.rename(from, to);
      },
    };
    await expect(trashOn(disk).put(pdf())).rejects.toMatchObject({ code: "io" });
    expect(tree()).toEqual({ ...whole, "pdf/SKILL.md": "written meanwhile" });
    expect(trashOn().list()).toEqual([]);
  });
});
