import { onScopeDispose, ref, shallowRef } from "vue";
import { toErrorValue } from "../../../shared/errors.ts";
import type { McpTestResult } from "../../../shared/mcp.ts";
import { useRpc } from "../../rpc.ts";

/** Tries a server: it starts once and ends again. `grantOf` gives the grant of what is tried, one for each try. */
export function useTest(grantOf: () => Promise<string>) {
  const rpc = useRpc();
  const testing = ref(false);
  const result = shallowRef<McpTestResult | null>(null);
  const problem = ref("");
  let isGone = false;
  onScopeDispose(() => void (isGone = true));
  const test = async (): Promise<void> => {
    if (testing.value) return;
    testing.value = true;
    problem.value = "";
    result.value = null;
    try {
      const found = await rpc.call("mcp.test", { grant: await grantOf() });
      if (!isGone) result.value = found;
    } catch (error) {
      problem.value = toErrorValue(error).message;
    } finally {
      testing.value = false;
    }
  };
  return { testing, result, problem, test };
}
