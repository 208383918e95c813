import { spawn } from "node:child_process";
import fs from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { installSteps } from "../../../shared/market.ts";
import { marketIn, treeOf, undoPortsOf, worldIn, type TestWorld } from "./market.testkit.ts";
import { recoverInstalls } from "./recover.ts";

let built: string;
let world: TestWorld;
beforeAll(async () => {
  built = fs.mkdtempSync(path.join(tmpdir(), "nacre-kill-"));
  await build({
    configFile: false,
    logLevel: "error",
    ssr: { noExternal: true, external: ["@napi-rs/keyring"] },
    build: {
      ssr: fileURLToPath(import.meta.resolve("./kill-child.testkit.ts")),
      outDir: built,
      target: "node20",
      rolldownOptions: { output: { format: "cjs", entryFileNames: "child.cjs" } },
    },
  });
});
afterAll(() => fs.rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  world = worldIn(fs.mkdtempSync(path.join(tmpdir(), "nacre-market-")));
});
afterEach(() => fs.rmSync(world.root, { recursive: true, force: true }));

/** The signal or code that ended the child. */
const installAndDie = (id: string, scope: string, variables: object, step: string): Promise<unknown> =>
  new Promise((resolve) => {
    const args = [path.join(built, "child.cjs"), world.root, id, scope, JSON.stringify(variables), step];
    spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] }).on("close", (code, signal) =>
      resolve(signal ?? code),
    );
  });
const before = installSteps.filter((step) => step !== "enable");
/** Up to the approval all kinds go one way. */
const placing = ["place", "receipt"] as const;
const cases = [
  { id: "code-review", scope: "user", variables: {}, steps: before },
  { id: "code-review", scope: "workspace", variables: {}, steps: placing },
  { id: "memory", scope: "user", variables: {}, steps: placing },
  { id: "memory", scope: "workspace", variables: {}, steps: placing },
  { id: "github", scope: "user", variables: { GITHUB_TOKEN: "s3cret" }, steps: placing },
];

test.each(cases.flatMap(({ steps, ...one }) => steps.map((step) => ({ ...one, step }))))(
  "$id ($scope) killed at $step leaves nothing after the next start",
  async ({ id, scope, variables, step }) => {
    fs.mkdirSync(path.join(world.workspace, ".agent"));
    fs.writeFileSync(path.join(world.workspace, ".agent/mcp.json"), '{\n  // mine\n  "other": 1\n}\n');
    const tree = treeOf(world);
    expect(await installAndDie(id, scope, variables, step)).toBe("SIGKILL");
    expect(treeOf(world)).not.toEqual(tree);
    const undone = await recoverInstalls(path.join(world.paths.data, "staging"), undoPortsOf(world));
    fs.rmSync(path.join(world.paths.data, "staging"), { recursive: true, force: true });
    expect(treeOf(world)).toEqual(tree);
    expect(undone).toEqual(step === "receipt" ? [id] : []);
  },
);
test("killed once the receipt stands, it is installed", async () => {
  expect(await installAndDie("code-review", "user", {}, "enable")).toBe("SIGKILL");
  expect(await recoverInstalls(path.join(world.paths.data, "staging"), undoPortsOf(world))).toEqual([]);
  const { market } = await marketIn(world);
  expect(market.receipts().map(({ id }) => id)).toEqual(["code-review"]);
  expect(fs.readdirSync(path.join(world.paths.data, "staging"))).toEqual([]);
  expect(fs.existsSync(path.join(world.paths.config, "skills/code-review/SKILL.md"))).toBe(true);
});
test("a killed install does not stand in the way of the next one", async () => {
  expect(await installAndDie("code-review", "user", {}, "receipt")).toBe("SIGKILL");
  const { market } = await marketIn(world);
  await recoverInstalls(path.join(world.paths.data, "staging"), undoPortsOf(world));
  const plan = await market.plan("code-review", "user");
  await market.install({ plan, variables: {} }, () => undefined, new AbortController().signal);
  expect(market.receipts()).toHaveLength(1);
});
