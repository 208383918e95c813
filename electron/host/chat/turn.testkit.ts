import type { ChatModel, ModelEvent, ModelRequest } from "../../../shared/model.ts";
import type { PermissionClass } from "../../../shared/policy.ts";
import type { Tool, ToolCall, ToolCallResult } from "../tools/types.ts";
import type { TurnEnd, TurnEvent } from "./turn.ts";

/** Tests alone use this file: tools and models of which they know everything. */

export function testTool(name: string, perm: PermissionClass = "read"): Tool {
  return {
    name,
    title: name,
    description: `${name} does something.`,
    perm,
    origin: { kind: "builtin", owner: "nacre" },
    inputSchema: { type: "object", properties: {} },
    run: async () => ({ output: "", isError: false, sandboxed: null }),
  };
}
export const testResult = (call: ToolCall, rest: Partial<ToolCallResult> = {}): ToolCallResult => ({
  ...call,
  title: call.name,
  origin: "builtin",
  output: `result of ${call.name}`,
  isError: false,
  durationMs: 1,
  decision: "allow",
  sandboxed: null,
  by: "policy",
  ...rest,
});
/** Reads a turn to its end. */
export async function readTurn(
  turn: AsyncGenerator<TurnEvent, TurnEnd>,
  onEvent: (event: TurnEvent) => void = () => {},
): Promise<{ events: TurnEvent[]; end: TurnEnd }> {
  const events: TurnEvent[] = [];
  for (;;) {
    const next = await turn.next();
    if (next.done) return { events, end: next.value };
    events.push(next.value);
    onEvent(next.value);
  }
}
/** A model without a server, for what only needs events. */
export const testModel = (steps: (ModelEvent | Error)[][]): ChatModel & { requests: ModelRequest[] } => {
  const requests: ModelRequest[] = [];
  return {
    id: "test/any",
    requests,
    async *stream(request) {
      requests.push({ ...request, messages: [...request.messages] });
      for (const event of steps[requests.length - 1] ?? []) {
        if (event instanceof Error) throw event;
        yield event;
      }
    },
  };
};
/** Something that a test lets happen. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}
