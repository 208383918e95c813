import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readFileTool } from "../tools/builtin/read-file.ts";
import { testRun } from "../tools/builtin/test-run.ts";
import { fixtureServer, World } from "./mcp.testkit.ts";

let world: World;
let folder: string;
const kept: string[] = [];
beforeAll(async () => {
  folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "nacre-results-")));
  world = new World([fixtureServer("x", ["small.mjs"])], {
    keepText: (sessionId, whole) => {
      kept.push(sessionId);
      fs.writeFileSync(path.join(folder, "kept"), whole);
      return "kept";
    },
  });
  await world.start();
});
afterAll(async () => {
  expect(await world.end()).toEqual([]);
  fs.rmSync(folder, { recursive: true });
});
const big = (bytes: number, sessionId: string | null) =>
  world.tools.get("mcp__x__big")?.run({ bytes }, { ...testRun(folder), sessionId });

it("12 MB come as their beginning, and the rest is read from a file of the conversation", async () => {
  const output = await big(12_000_000, "s1");
  const note = /\n\(the answer was longer; read_file kept with offset (\d+) reads the rest\)$/.exec(
    output?.output ?? "",
  );
  expect(kept).toEqual(["s1"]);
  expect(output?.output.length).toBeLessThan(110_000);
  expect(output?.isError).toBe(false);
  expect(JSON.stringify(output).length).toBeLessThan(300_000);
  const whole = fs.readFileSync(path.join(folder, "kept"), "utf8");
  expect(whole.replaceAll("\n", "")).toHaveLength(12_000_000);
  const read = await readFileTool().run({ path: "kept", offset: Number(note?.[1]) }, testRun(folder));
  expect(read.output).toContain("xxxx");
});
it("what has room comes as it is, and so does all where there is no conversation", async () => {
  expect((await big(50_000, "s1"))?.output).toHaveLength(50_000);
  expect((await big(200_000, null))?.output).toHaveLength(200_000);
  expect(kept).toEqual(["s1"]);
});
