import { defineStore } from "pinia";
import { computed, ref, shallowRef } from "vue";
import type { PlannedInstall } from "../../shared/contract/market.ts";
import { toErrorValue, type ErrorValue } from "../../shared/errors.ts";
import type {
  InstallView,
  MarketEvent,
  MarketItem,
  MarketSourceRow,
  MarketView,
  Receipt,
} from "../../shared/market.ts";
import { useRpc } from "../rpc.ts";
import { nextRun, type InstallRun } from "./progress.ts";

/** After the last key, before the host is asked. */
const restMs = 120;

/** What can be installed, what is, and the installs that this window saw. */
export const useMarket = defineStore("market", () => {
  const rpc = useRpc();
  const query = ref("");
  /** Null until the first search has answered. */
  const items = shallowRef<readonly MarketItem[] | null>(null);
  const failure = shallowRef<ErrorValue | null>(null);
  const sources = shallowRef<readonly MarketSourceRow[]>([]);
  const receipts = shallowRef<readonly Receipt[]>([]);
  const runs = shallowRef<ReadonlyMap<string, InstallRun>>(new Map());
  let asked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let users = 0;
  let unsubscribe: () => void = () => undefined;

  /** Asks now. Of several searches the last one counts, whatever comes back first. */
  const search = async (): Promise<void> => {
    clearTimeout(timer);
    asked += 1;
    const mine = asked;
    try {
      const found = await rpc.call("market.search", { query: query.value.trim() });
      if (mine !== asked) return;
      failure.value = null;
      items.value = found.items;
      sources.value = found.sources;
    } catch (thrown) {
      if (mine === asked) failure.value = toErrorValue(thrown);
    }
  };
  /** Search as you type. */
  const type = (text: string): void => {
    query.value = text;
    clearTimeout(timer);
    timer = setTimeout(() => void search(), restMs);
  };

  const see = (view: InstallView): void => {
    const run = nextRun(runs.value.get(view.id), view, Date.now());
    runs.value = new Map([...runs.value, [view.id, run]]);
  };
  const isRunning = (id: string): boolean => runs.value.get(id)?.view.state === "running";

  const snapshot = (view: MarketView): void => {
    sources.value = view.sources;
    receipts.value = view.receipts;
    // The host keeps the last install of each thing; those that were over before are no news.
    for (const install of view.installs)
      if (install.state === "running" || isRunning(install.id)) see(install);
  };
  const event = (told: MarketEvent): void => {
    if (told.type === "install") see(told.install);
    else if (told.type === "sources") sources.value = told.sources;
    else {
      receipts.value = told.receipts;
      void search();
    }
  };
  /** Listens to the topic and searches; answers how to stop. May be started by several views at once. */
  const start = (): (() => void) => {
    users += 1;
    if (users === 1) {
      unsubscribe = rpc.subscribe("market", { snapshot, event });
      void search();
    }
    return () => {
      users -= 1;
      if (users > 0) return;
      clearTimeout(timer);
      unsubscribe();
    };
  };

  /** Installs what a plan showed. How it goes, and why it failed, stands in its run. */
  const install = async (plan: PlannedInstall, name: string, variables: Record<string, string>) => {
    const { id, grant } = plan;
    see({ id, name, step: "fetch", state: "running" });
    const ends = (end: Pick<InstallView, "state" | "error">): void => {
      const run = runs.value.get(id);
      if (run?.view.state === "running") see({ ...run.view, ...end });
    };
    try {
      await rpc.call("market.install", { grant, variables });
      ends({ state: "done" });
    } catch (thrown) {
      const { code, message } = toErrorValue(thrown);
      ends(code === "stopped" ? { state: "cancelled" } : { state: "failed", error: message });
    }
  };
  const dismiss = (id: string): void =>
    void (runs.value = new Map([...runs.value].filter(([other]) => other !== id)));

  return {
    query,
    items,
    failure,
    sources,
    receipts,
    runs: computed(() => [...runs.value.values()]),
    isRunning,
    start,
    search,
    type,
    install,
    dismiss,
    cancel: (id: string) => rpc.call("market.cancel", { id }),
    uninstall: (id: string) => rpc.call("market.uninstall", { id }),
  };
});
