import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { proof } from "../kit/proofs.testkit.ts";
import { isInside } from "../kit/files.ts";
import { locatePaths, type LocatedPath } from "./locate.ts";

let root: string;
beforeAll(() => {
  root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-trees-")));
});
afterAll(() => fs.rmSync(root, { recursive: true }));
const at = (...names: string[]): string => path.join(root, ...names);
const locate = (given: string, platform?: NodeJS.Platform): LocatedPath => {
  const territory = {
    workspace: at("work"),
    writableRoots: [at("second")],
    readableFolders: [],
    config: at("config"),
    data: at("data"),
    home: at("home"),
  };
  const found = locatePaths({ writes: [given] }, territory, () => false, platform)[0];
  if (!found) throw new Error("nothing was found");
  return found;
};

const name = fc.constantFrom("a", "b", "A", "c.", "d ", "f");
const target = fc.oneof(
  fc
    .array(fc.constantFrom("a", "b", "..", ".", "work", "outside", "second", "missing", "f"), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join("/")),
  fc.constantFrom("/", "loop"),
);
const step = fc.record({
  place: fc.constantFrom("work", "outside", "second"),
  names: fc.array(name, { minLength: 1, maxLength: 3 }),
  kind: fc.constantFrom("folder", "folder", "file", "link", "link", "absolute"),
  target,
});
const given = fc
  .array(fc.constantFrom("a", "b", "A", "c.", "d ", "f", "..", ".", "", "new", "loop", "work", "outside"), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => `./${parts.join("/")}`);

/** Where the kernel arrives, whether it opens or makes it; undefined where it arrives nowhere. */
function arrived(file: string): string | undefined {
  for (const flags of [fs.constants.O_RDONLY, fs.constants.O_CREAT | fs.constants.O_RDWR]) {
    let descriptor;
    try {
      descriptor = fs.openSync(file, flags);
    } catch {
      // Missing, in a circle, a file as a folder: the next way, or none.
      continue;
    }
    const real = fs.readlinkSync(`/proc/self/fd/${descriptor}`);
    fs.closeSync(descriptor);
    return real;
  }
  return undefined;
}

describe.runIf(process.platform === "linux")("in whatever tree of folders, files and links", () => {
  test("a path is decided on where the kernel arrives", () => {
    let reached = 0;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), given, (steps, text) => {
        for (const place of ["work", "outside", "second", "config", "data", "home"]) {
          fs.rmSync(at(place), { recursive: true, force: true });
          fs.mkdirSync(at(place));
        }
        fs.symlinkSync("loop", at("work", "loop"));
        for (const { place, names, kind, target: link } of steps) {
          const file = at(place, ...names);
          try {
            fs.mkdirSync(path.dirname(file), { recursive: true });
            // A link above may have led the step elsewhere: then it is left out.
            if (!isInside(root, fs.realpathSync(path.dirname(file)))) continue;
            if (kind === "folder") fs.mkdirSync(file);
            else if (kind === "file") fs.writeFileSync(file, "", { flag: "wx" });
            else fs.symlinkSync(kind === "link" ? link : at("outside", link), file);
          } catch {
            // It stands there already, or a file is in its way: one step less.
          }
        }
        const absolute = `${at("work")}/${text}`;
        let found: LocatedPath | undefined;
        try {
          found = locate(text);
        } catch {
          expect([text, arrived(absolute)]).toEqual([text, undefined]);
          return;
        }
        // Nothing outside of the test's own folder is ever made.
        if (!isInside(root, found.real)) {
          expect(found.place).toBe("outside");
          return;
        }
        const real = arrived(absolute);
        if (real === undefined) return;
        reached += 1;
        expect([text, found.real]).toEqual([text, real]);
        const place = isInside(at("work"), real)
          ? "workspace"
          : isInside(at("second"), real)
            ? "writable"
            : "outside";
        expect([text, found.place]).toEqual([text, place]);
      }),
      proof(120, 10_000),
    );
    // Far fewer than any seed gives: the kernel arrives somewhere, so that something is compared.
    expect(reached).toBeGreaterThan(5);
  }, 600_000);
});

describe("names that Windows reads in a way of its own", () => {
  beforeAll(() => {
    for (const place of ["work", "second", "config", "data", "home"])
      fs.mkdirSync(at(place), { recursive: true });
  });
  test.each(["file.txt:stream", "GIT~1/config", "sub/NUL.txt", "C:foo", "a./b"])(
    "%s lies outside, is protected and secret there",
    (file) => {
      expect(locate(file, "win32")).toMatchObject({
        place: "outside",
        protectedFolder: "<windows-name>",
        secret: true,
      });
    },
  );
  test("elsewhere they are names", () => {
    expect(locate("file.txt:stream", "linux")).toMatchObject({ place: "workspace", protectedFolder: null });
  });
});
test("the app's own data is protected, so that no approval is written by an agent", () => {
  expect(locate(at("data", "trust", "x.json")).protectedFolder).toBe("<data>");
});
test.each([".gnupg/x", ".aws/credentials", ".ssh/config"])("~/%s is secret", (file) => {
  expect(locate(`~/${file}`).secret).toBe(true);
});
