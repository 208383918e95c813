import { defineStore } from "pinia";
import { shallowRef, watch } from "vue";
import { useWorkspace } from "../app/store.ts";
import { act } from "../failures.ts";
import { useRpc } from "../rpc.ts";
import { resourceIndex, type ResourceIndex } from "./resource-index.ts";

/** What the ready servers offer for `@`: read when it is first wanted, and again once a server has changed since. */
export const useResources = defineStore("chat-resources", () => {
  const rpc = useRpc();
  const workspace = useWorkspace();
  const index = shallowRef<ResourceIndex>(resourceIndex([], []));
  let isStale = true;
  let isReading = false;
  watch(
    () => workspace.mcp,
    () => void (isStale = true),
    { flush: "sync" },
  );
  const read = async (): Promise<void> => {
    isReading = true;
    isStale = false;
    try {
      const { resources, templates } = (await rpc.call("mcp.resources", {})) ?? {
        resources: [],
        templates: [],
      };
      index.value = resourceIndex(resources, templates);
    } catch (error) {
      isStale = true;
      throw error;
    } finally {
      isReading = false;
    }
  };
  /** Reads them where what is known is old; what is known already stands until then. */
  const want = (): void => {
    const hasReady = workspace.mcp.some(({ state }) => state === "ready");
    if (!isStale || isReading) return;
    if (hasReady) return act(read);
    index.value = resourceIndex([], []);
    isStale = false;
  };
  return { index, want };
});
