import { createPinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp } from "vue";
import type { MarketSearch } from "../../shared/contract/market.ts";
import { NacreError } from "../../shared/errors.ts";
import { memoryRpc } from "../rpc.testing.ts";
import { rpcKey } from "../rpc.ts";
import { installView, marketItem, plannedInstall, receipt } from "./fixtures.testing.ts";
import { useMarket } from "./store.ts";

const found = (...names: string[]): MarketSearch => ({
  items: names.map((name) => marketItem({ id: name, name })),
  sources: [],
});
function setUp(rpc = memoryRpc({ "market.search": ({ query }) => found(query || "all") })) {
  const pinia = createPinia();
  createApp({}).provide(rpcKey, rpc).use(pinia);
  const market = useMarket(pinia);
  const names = (): string[] | undefined => market.items?.map(({ name }) => name);
  return { rpc, market, names };
}
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("opening searches for everything, typing searches when the keys rest", async () => {
  const { rpc, market, names } = setUp();
  market.start();
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["all"]);
  for (const text of ["p", "pd", " pdf "]) market.type(text);
  await vi.advanceTimersByTimeAsync(200);
  expect(names()).toEqual(["pdf"]);
  expect(rpc.calls.filter(({ method }) => method === "market.search")).toHaveLength(2);
});

test("an answer that comes too late changes nothing", async () => {
  const answers: ((value: MarketSearch) => void)[] = [];
  const rpc = memoryRpc();
  const late = { ...rpc, call: () => new Promise<never>((resolve) => void answers.push(resolve as never)) };
  const { market, names } = setUp(late);
  void market.search();
  void market.search();
  answers[1]?.(found("second"));
  answers[0]?.(found("first"));
  await vi.advanceTimersByTimeAsync(0);
  expect(names()).toEqual(["second"]);
});

test("a search that fails keeps what was found, and says why until one works", async () => {
  let broken = false;
  const rpc = memoryRpc({
    "market.search"() {
      if (broken) throw new NacreError("network", "the source did not answer");
      return found("a");
    },
  });
  const { market, names } = setUp(rpc);
  await market.search();
  broken = true;
  await market.search();
  expect(market.failure?.code).toBe("network");
  expect(names()).toEqual(["a"]);
  broken = false;
  await market.search();
  expect(market.failure).toBeNull();
});

test("two views listen once; the last one to leave stops it", () => {
  const { rpc, market } = setUp();
  const stops = [market.start(), market.start()];
  stops[0]?.();
  expect([...rpc.topics]).toEqual(["market"]);
  stops[1]?.();
  expect([...rpc.topics]).toEqual([]);
});

test("an install shows its steps, then its end", async () => {
  const { rpc, market } = setUp();
  market.start();
  const done = market.install(plannedInstall(), "Memory", { KEY: "v" });
  expect(market.isRunning("memory")).toBe(true);
  rpc.event("market", { type: "install", install: installView({ step: "place" }) });
  expect(market.runs[0]?.view.step).toBe("place");
  await done;
  expect(market.runs[0]?.view).toMatchObject({ step: "place", state: "done" });
  expect(rpc.calls.at(-1)).toEqual({
    method: "market.install",
    input: { grant: "g1", variables: { KEY: "v" } },
  });
  market.dismiss("memory");
  expect(market.runs).toEqual([]);
});

test.each([
  [new NacreError("denied", "the grant is spent"), { state: "failed", error: "the grant is spent" }],
  [new NacreError("stopped", "cancelled"), { state: "cancelled" }],
])("an install that the host refuses ends with the reason", async (error, end) => {
  const rpc = memoryRpc({
    "market.install"() {
      throw error;
    },
  });
  const { market } = setUp(rpc);
  await market.install(plannedInstall(), "Memory", {});
  expect(market.runs[0]?.view).toMatchObject(end);
});

test("what was over before this window came is no news", () => {
  const { rpc, market } = setUp();
  market.start();
  const installs = [
    installView({ id: "old", state: "failed" }),
    installView({ id: "now", state: "running" }),
  ];
  rpc.snapshot("market", { sources: [], installs, receipts: [] });
  expect(market.runs.map(({ view }) => view.id)).toEqual(["now"]);
});

test("new receipts search again, so that what is installed shows", async () => {
  const { rpc, market } = setUp();
  market.start();
  await vi.advanceTimersByTimeAsync(0);
  rpc.event("market", { type: "receipts", receipts: [receipt()] });
  await vi.advanceTimersByTimeAsync(0);
  expect(market.receipts).toHaveLength(1);
  expect(rpc.calls.filter(({ method }) => method === "market.search")).toHaveLength(2);
});
