import fc from "fast-check";
import { afterEach, expect, it } from "vitest";
import { proof } from "../kit/proofs.testkit.ts";
import { hostRunName } from "../kit/process.ts";
import { processesWith } from "../kit/process-table.ts";
import { fixtureServer, World } from "./mcp.testkit.ts";

// Whatever is asked for at the same time: what stands at the end is what was asked for last, and nothing else runs.
let world: World;
afterEach(async () => {
  expect(await world.end()).toEqual([]);
});
interface Step {
  readonly kind: string;
  readonly name: string;
}

const names = ["a", "b"];
const name = fc.constantFrom(...names);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("start", "stop", "restart", "call", "kill"), name }),
  fc.record({ kind: fc.constantFrom("switch", "distrust"), name }),
  fc.record({ kind: fc.constantFrom("change", "remove"), name }),
  fc.record({ kind: fc.constantFrom("reload", "restart-all", "pause"), name }),
);
const declared = (one: string, round: number) =>
  fixtureServer(one, ["misbehaving.mjs", "dies"], { env: { ROUND: String(round) }, toolTimeoutSec: 5 });
let round = 0;
/** Begins one step; what it refuses to do is no fault here. */
function take({ kind, name: one }: Step): Promise<unknown> {
  const { mcp } = world;
  const id = `mcp:user/${one}`;
  const others = world.declarations.filter((declaration) => declaration.name !== one);
  switch (kind) {
    case "start":
      return mcp.startServer(one);
    case "stop":
      return mcp.stopServer(one);
    case "restart":
      return mcp.restartServer(one);
    case "call":
      return world.call(one, "echo", { text: one });
    case "kill":
      return world.call(one, "die");
    case "switch":
      world.switches.set(id, !(world.switches.get(id) ?? true));
      world.switchesChanged.emit();
      return Promise.resolve();
    case "distrust":
      if (!world.trust.delete(id)) world.trust.set(id, "needs_approval");
      world.trustChanged.emit();
      return Promise.resolve();
    case "change":
      world.declarations = [...others, declared(one, ++round)];
      return mcp.reload();
    case "remove":
      world.declarations = others;
      return mcp.reload();
    case "reload":
      return mcp.reload();
    case "restart-all":
      return mcp.restartAll();
    default:
      return new Promise((resolve) => setTimeout(resolve, 30));
  }
}

it("concurrent starts, stops, reloads, switches and deaths end in what was asked for last", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
      await world?.end();
      world = new World(names.map((one) => declared(one, 0)));
      world.mcp.start();
      const going: Promise<unknown>[] = [];
      for (const next of steps) {
        const done = Promise.resolve(take(next)).catch(() => undefined);
        if (next.kind === "pause") await done;
        else going.push(done);
      }
      await Promise.all(going);
      world.switches.clear();
      world.trust.clear();
      world.declarations = names.map((one) => declared(one, -1));
      await world.mcp.restartAll();
      await world.mcp.settled(30_000);
      expect(world.mcp.rows().map((row) => [row.name, row.state])).toEqual(
        names.map((one) => [one, "ready"]),
      );
      for (const one of names) expect(await world.call(one, "echo", { text: one })).toBe(one);
      expect(processesWith("NACRE_RUN_ID", hostRunName())).toHaveLength(names.length);
      expect(world.tools.size).toBe(6 * names.length);
      await world.mcp.stop();
      expect(processesWith("NACRE_RUN_ID", hostRunName())).toEqual([]);
      // Each start that was told of came to an end that was told of.
      for (const one of names) {
        const told = world.events.filter((event) => event.name === one).map(({ type }) => type);
        expect(told.join(" ")).not.toMatch(/Starting McpServerStarting|Ready McpServer(Ready|Starting)/);
      }
    }),
    proof(3, 200),
  );
}, 120_000);
