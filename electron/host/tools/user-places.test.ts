import fs from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { userPlaces } from "../policy/user-places.ts";
import { type Bench, createBench, rulesOf } from "./tools.testkit.ts";

let bench: Bench | undefined;
afterEach(() => bench?.stop());

/** Each runs something, or lets somebody in, the next time that the user does what they do every day. */
const own = [
  ".bashrc",
  ".profile",
  ".gitconfig",
  ".ssh/authorized_keys",
  ".aws/credentials",
  ".config/autostart/a.desktop",
  "bin/ls",
  "~/.zshenv",
  "projects/../.bashrc",
  ".BASHRC",
];
const rules = rulesOf({ write_file: "allow", edit_file: "allow" });

describe.each([
  ["as workspace", true, []],
  ["as `/` among the writable roots", false, ["/"]],
  ["as `~` among the writable roots", false, ["HOME"]],
])("the user's own files, the home folder open %s", (_name, inHome, writable) => {
  test.each(own)("%s is written after no rule, and headless after an exact --allow alone", async (given) => {
    const one = (bench = createBench({ inHome }));
    const writableRoots = writable.map((root) => (root === "HOME" ? one.paths.home : root));
    const file = inHome || given.startsWith("~") ? given : path.join(one.paths.home, given);
    const real = path.join(one.paths.home, given.replace(/^~\/|^.*\.\.\//, ""));
    const write = (allow: string[]): Promise<{ decision: string; by: string }> =>
      one.call("write_file", { path: file, content: "x" }, { policy: { writableRoots, rules, allow } });
    for (const allow of [[], ["write_file"], ["write_file:*"]])
      expect(await write(allow)).toMatchObject({ decision: "deny", by: expect.stringContaining("~/") });
    expect(fs.existsSync(real)).toBe(false);
    expect(await write([`write_file:${real}`])).toMatchObject({ decision: "asked_allow" });
    expect(fs.readFileSync(real, "utf8")).toBe("x");
  });
});
test("every place that the sandbox guards, the file tools ask about", async () => {
  bench = createBench({ inHome: true });
  for (const place of userPlaces(bench.paths)) {
    const { decision } = await bench.call("write_file", { path: place, content: "" }, { policy: { rules } });
    expect([place, decision]).toEqual([place, "deny"]);
  }
});
test("a link to one of them is one, and so is what one is a link to", async () => {
  const { paths } = (bench = createBench({ inHome: true }));
  fs.mkdirSync(path.join(paths.home, "dotfiles"));
  fs.writeFileSync(path.join(paths.home, "dotfiles/rc"), "");
  fs.symlinkSync("dotfiles/rc", path.join(paths.home, ".bashrc"));
  fs.symlinkSync(".profile", path.join(paths.home, "notes"));
  for (const name of ["dotfiles/rc", ".bashrc", "notes"]) {
    const { decision } = await bench.call("write_file", { path: name, content: "x" }, { policy: { rules } });
    expect([name, decision]).toEqual([name, "deny"]);
  }
});
test("other files of the home folder, and a root that is such a place itself, are written as ever", async () => {
  const { paths } = (bench = createBench({ inHome: true }));
  const write = (file: string, writableRoots: string[] = []): Promise<{ decision: string }> =>
    one.call("write_file", { path: file, content: "x" }, { policy: { writableRoots } });
  const one = bench;
  expect((await write("projects/bin/ls")).decision).toBe("allow");
  expect((await write(".bashrc.d.txt")).decision).toBe("allow");
  await one.stop();
  const other = (bench = createBench());
  const bin = path.join(other.paths.home, "bin");
  fs.mkdirSync(bin);
  expect(
    (
      await other.call(
        "write_file",
        { path: path.join(bin, "tool"), content: "x" },
        { policy: { writableRoots: [bin] } },
      )
    ).decision,
  ).toBe("allow");
  expect(paths.home).not.toBe(other.paths.home);
});
