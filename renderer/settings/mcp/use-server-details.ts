import { onScopeDispose, ref, shallowRef, watch } from "vue";
import type { Output } from "../../../shared/contract/index.ts";
import type { McpServerDetails, McpServerRow } from "../../../shared/mcp.ts";
import { toErrorValue } from "../../../shared/errors.ts";
import { useRpc } from "../../rpc.ts";

/**
 * What a server is and offers, and its entry in its file: read when it is opened and again whenever the host tells of it.
 * Of several changes in a row the last is read. `counts`: its name is its own; of one in the shadow of another nothing can
 * be asked by name. Call in a component's setup.
 */
export function useServerDetails(row: () => McpServerRow, counts: () => boolean) {
  const rpc = useRpc();
  const details = shallowRef<McpServerDetails | null>(null);
  const source = shallowRef<Output<"mcp.source"> | null>(null);
  const failure = ref("");
  let [isReading, isAsked, isGone] = [false, false, false];
  const readOnce = async (): Promise<void> => {
    const { name } = row();
    const [found, entry] = await Promise.allSettled([
      rpc.call("mcp.details", { name }),
      source.value ?? rpc.call("mcp.source", { name }),
    ]);
    if (found.status === "fulfilled") details.value = found.value;
    if (entry.status === "fulfilled") source.value = entry.value;
    const failed = [found, entry].find((one) => one.status === "rejected");
    failure.value = failed ? toErrorValue(failed.reason).message : "";
  };
  const read = async (): Promise<void> => {
    isAsked = true;
    if (isReading || !counts()) return;
    isReading = true;
    while (isAsked && !isGone) {
      isAsked = false;
      await readOnce();
    }
    isReading = false;
  };
  watch([row, counts], () => void read(), { immediate: true });
  onScopeDispose(() => void (isGone = true));
  return { details, source, failure, read };
}
