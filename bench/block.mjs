// The longest time that the host's thread is held after start, in the browser shell: a window looks, asks, 20 tools run.
// A goal in ms, not a ratio: it counts what a window would feel. Not on Windows (signals).
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { interleave, report, rounds, scratch } from "./lib/measure.mjs";
import { startModel } from "./lib/model.mjs";
import { delayMeter, openWindow, serve } from "./lib/window.mjs";
import { environment, writeServers, writeSkills } from "./lib/worlds.mjs";

const folder = scratch();
const workspace = path.join(folder, "ws");
mkdirSync(workspace);
writeSkills(workspace, 1000);
writeFileSync(path.join(workspace, "text.txt"), "A line of text.\n".repeat(2000));
const model = await startModel((step) =>
  step < 20
    ? {
        name: step % 2 === 0 ? "read_file" : "mcp__small-0__echo",
        input: step % 2 === 0 ? { path: "text.txt" } : { text: "hi" },
      }
    : undefined,
);
const meter = delayMeter(folder);
const env = { ...environment(path.join(folder, "home"), model.url), ...meter.env };
mkdirSync(env.NACRE_CONFIG_DIR, { recursive: true });
writeFileSync(path.join(env.NACRE_CONFIG_DIR, "mcp.json"), writeServers(folder, 2));
async function host() {
  model.reset();
  const served = await serve(workspace, env, meter.nodeArgs);
  // Start is over when the address is printed.
  served.tell("SIGUSR2");
  const window = await openWindow(served.url);
  await window.call("topic.subscribe", { topic: "workspace" });
  const session = await window.call("chat.create", {});
  await window.call("topic.subscribe", { topic: `session:${session.id}` });
  const ended = window.hear(({ event }) => event?.type === "entry" && event.entry.type === "turn_end");
  await window.call("chat.send", { sessionId: session.id, text: "go" });
  await ended;
  window.close();
  await served.stop();
  return meter.read();
}
const held = report("longest block of the host's thread", await interleave({ nacre: host }, rounds()), "ms", {
  below: 50,
});
await model.stop();
process.exitCode = held ? 0 : 1;
