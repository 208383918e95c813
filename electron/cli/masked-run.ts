import type { TurnEvent } from "../host/chat/turn.ts";
import type { Masker, MaskStream } from "../host/kit/mask.ts";

/**
 * The events of a run without secrets, for outputs that end up in logs (spec 4). What streams is shown a little later
 * where it could be the beginning of a secret; nothing else overtakes it.
 */
export function maskedEvents(masker: Masker, show: (event: TurnEvent) => void): (event: TurnEvent) => void {
  /** What streams, and how to show the rest of it. */
  const open = new Map<string, { readonly stream: MaskStream; readonly last: (text: string) => TurnEvent }>();
  const push = (key: string, text: string, last: (text: string) => TurnEvent): void => {
    const { stream } = open.get(key) ?? { stream: masker.stream() };
    open.set(key, { stream, last });
    const shown = stream.push(text);
    if (shown !== "") show(last(shown));
  };
  const end = (which: (key: string) => boolean): void => {
    for (const [key, { stream, last }] of open) {
      if (!which(key)) continue;
      open.delete(key);
      const rest = stream.end();
      if (rest !== "") show(last(rest));
    }
  };
  return (event) => {
    if (event.type === "text" || event.type === "reasoning") {
      end((key) => key !== event.type && !key.startsWith("output "));
      push(event.type, event.text, (text) => ({ ...event, text }));
    } else if (event.type === "tool_output") {
      push(`output ${event.callId}`, event.text, (text) => ({ ...event, text }));
    } else {
      const ended = event.type === "tool_result" ? `output ${event.result.id}` : "";
      end((key) => key === ended || !key.startsWith("output "));
      show(masker.masked(event));
    }
  };
}
