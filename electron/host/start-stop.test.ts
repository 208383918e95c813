import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startModelServer, type ModelServer } from "../../e2e/fixtures/model-server.mjs";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost } from "./host.ts";
import { helperBuild, type HelperBuild } from "./kit/helper/helper.testkit.ts";
import { hostRunName, helperSettled } from "./kit/process.ts";
import { processesWith } from "./kit/process-table.ts";

let world: World;
let model: ModelServer;
let helper: HelperBuild;
let temporary: string;
const usual = process.env["TMPDIR"];
beforeAll(async () => {
  world = createWorld();
  helper = await helperBuild();
  temporary = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-start-stop-"));
  process.env["TMPDIR"] = temporary;
  model = await startModelServer({
    steps: [
      {
        when: { lastRole: "user" },
        repeat: true,
        toolCalls: [{ name: "mcp__one__echo", input: { text: "hi" } }],
      },
      { when: { lastRole: "tool" }, repeat: true, text: "done" },
    ],
  });
  const settings = {
    model: "test/any",
    models: { providers: { test: { kind: "openai-compatible", baseUrl: model.url } } },
  };
  world.write("config/settings.json", JSON.stringify(settings));
  const small = fileURLToPath(import.meta.resolve("../../e2e/fixtures/mcp-servers/small.mjs"));
  const server = { command: process.execPath, args: [small], autoApprove: ["echo"] };
  world.write("config/mcp.json", JSON.stringify({ mcpServers: { one: server, two: server } }));
});
afterAll(async () => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  fs.rmSync(temporary, { recursive: true, force: true });
  await model.stop();
  helper.remove();
  world.remove();
});

/** What a start could leave behind, in this process and around it: how many of each. */
function held(): Record<string, number> {
  const open = descriptors();
  const active = process.getActiveResourcesInfo();
  return {
    timers: active.filter((name) => name === "Timeout").length,
    watchers: active.filter((name) => name === "FSEventWrap").length,
    watches: open.filter((target) => target.includes("inotify")).length,
    files: open.filter((target) => target.startsWith("/") && !target.startsWith("/dev/")).length,
    pipesAndSockets: open.filter((target) => /^(socket|pipe):/.test(target)).length,
    marked: processesWith("NACRE_RUN_ID", hostRunName()).length,
    children: childrenOf(process.pid).length,
    temporary: fs.readdirSync(temporary, { recursive: true }).length,
    data: fs.readdirSync(world.paths.data, { recursive: true }).length,
  };
}
function childrenOf(parent: number): number[] {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc").flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readOrEmpty(`/proc/${name}/stat`) : "";
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) === parent ? [Number(name)] : [];
  });
}
function readOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, "latin1");
  } catch {
    // It ended while we looked.
    return "";
  }
}
function descriptors(): string[] {
  if (process.platform !== "linux") return [];
  return fs.readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [fs.readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // That with which the folder was read is closed again.
      return [];
    }
  });
}
async function startAndStop(): Promise<void> {
  const host = await createHost({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "1.2.3",
    shell: "browser",
    canAsk: true,
    built: world.top,
    programs: { startHelper: helper.startHelper },
  });
  await host.start();
  await host.settled(20_000, new AbortController().signal);
  const session = host.chats.create();
  const { turn } = await session.send("go");
  expect(await turn).toMatchObject({ stopReason: "end", text: "done" });
  await helperSettled();
  expect(processesWith("NACRE_RUN_ID", hostRunName())).toHaveLength(process.platform === "linux" ? 2 : 0);
  await host.stop();
  await host.stop();
}

test("starts and stops leave no process, timer, watcher, socket, file or descriptor more than before", async () => {
  // What is made once for the whole process, as pools of threads and modules, is made here.
  await startAndStop();
  await model.settled();
  const before = held();
  const rounds = process.env["NACRE_SOAK"] === "1" ? 50 : 5;
  for (let round = 0; round < rounds; round++) await startAndStop();
  // Fewer is no leak: the model's server closes a connection that nothing came over for a while.
  const more = () => Object.entries(held()).filter(([what, count]) => count > (before[what] ?? 0));
  await expect.poll(more, { timeout: 10_000 }).toEqual([]);
  expect(helper.started()).toBe(rounds + 1);
}, 600_000);
