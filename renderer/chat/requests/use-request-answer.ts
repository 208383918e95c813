import { onMounted, ref, type Ref } from "vue";
import type { McpRequestAnswer, McpRequestView } from "../../../shared/mcp-request.ts";
import { act } from "../../failures.ts";
import { useRpc } from "../../rpc.ts";
import { isWriting } from "../is-writing.ts";
import { useTypingGuard } from "../use-typing-guard.ts";

/**
 * How the card of a server's request is answered: once, and by nothing that was typed or pressed for something else.
 * Escape on the card cancels. The focus goes to what bears `data-first`, or to the first
 * field of a form, unless somebody writes.
 */
export function useRequestAnswer(request: () => McpRequestView, card: Readonly<Ref<HTMLElement | null>>) {
  const rpc = useRpc();
  const sent = ref(false);
  /** The fields of the card are its own: what is written in them is no stray typing. */
  const isMeant = useTypingGuard(() => {
    const at = document.activeElement;
    return at?.matches("input, textarea, select") && card.value?.contains(at) ? at : null;
  });
  /** Runs what a person meant, one at a time; what it throws is shown, and the card can be used again. */
  const once = (work: () => Promise<unknown>): void => {
    if (!isMeant() || sent.value) return;
    sent.value = true;
    act(async () => {
      try {
        await work();
      } finally {
        sent.value = false;
      }
    });
  };
  const send = (answer: McpRequestAnswer): Promise<null> =>
    rpc.call("mcp.answer", { id: request().id, ...answer });
  const answer = (given: McpRequestAnswer): void => once(() => send(given));

  /** For the card: what has the focus elsewhere is not ours. */
  const pressed = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    event.preventDefault();
    answer({ action: "cancel" });
  };
  onMounted(() => {
    if (isWriting()) return;
    const first = card.value?.querySelector<HTMLElement>("[data-first]");
    (first ?? card.value?.querySelector<HTMLElement>("form :is(input, textarea, select, button)"))?.focus();
  });
  return { once, send, answer, pressed };
}
