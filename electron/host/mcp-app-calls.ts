import { NacreError } from "../../shared/errors.ts";
import { isObject, type JsonObject } from "../../shared/json.ts";
import type { McpAppPage } from "../../shared/mcp-app.ts";
import { currentPolicy, personCaller } from "./callers.ts";
import { resultForApp } from "./chat/app-result.ts";
import type { Foundation } from "./foundation.ts";
import type { Rooms } from "./rooms.ts";
import type { Caller, Tool } from "./tools/types.ts";
import { roleRules } from "./turn-setup.ts";

/** A call that an app shows. */
interface ShownCall {
  readonly sessionId: string;
  readonly callId: string;
}
/** What apps of MCP servers ask of the host; which app, and whose, stands in the conversation's record. */
export interface McpAppCalls {
  /** @throws NacreError `not_found`; where the server is not ready, or gives no app */
  page(shown: ShownCall, signal: AbortSignal): Promise<McpAppPage>;
  /** @throws NacreError `not_found` */
  result(shown: ShownCall): JsonObject | null;
  /** By the one path of every call. @throws NacreError `not_found`, `denied`; the signal's reason */
  call(shown: ShownCall, tool: string, input: JsonObject, signal: AbortSignal): Promise<JsonObject>;
  /** @throws NacreError as `page` */
  read(shown: ShownCall, uri: string, signal: AbortSignal): Promise<unknown>;
}

export function createMcpAppCalls(foundation: Foundation, rooms: Rooms): McpAppCalls {
  const { tools, ids, options } = foundation;
  const { mcp, chats, executor } = rooms;
  const shownBy = ({ sessionId, callId }: ShownCall) => chats.open(sessionId).appCall(callId);

  /** An app speaks for nobody but its server: what it asks is put to the person as that of a sub-agent is. */
  const callerOf = (sessionId: string, server: string): Caller => ({
    ...personCaller(foundation, sessionId),
    kind: "agent",
    role: `the app of ${server}`,
    get policy() {
      return { ...currentPolicy(foundation), rules: roleRules(foundation, () => rooms, options.role) };
    },
  });
  return {
    page: (shown, signal) => mcp.apps.page(shownBy(shown).app, signal),
    result(shown) {
      const { result } = shownBy(shown);
      const read: unknown = result === undefined ? null : JSON.parse(result);
      return isObject(read) ? read : null;
    },
    async call(shown, name, input, signal) {
      const { app } = shownBy(shown);
      const find = (): Tool => {
        const title = mcp.apps.toolTitle(app, name);
        const tool = tools.get(title);
        if (tool?.origin.kind !== "mcp" || tool.origin.owner !== app.server)
          throw new NacreError("denied", `${title} is switched off`);
        return tool;
      };
      const caller = callerOf(shown.sessionId, app.server);
      const result = await executor.execute(
        { id: ids.next(), name: find().name, input },
        caller,
        { tool: find },
        signal,
      );
      const raw = resultForApp(result);
      const read: unknown = raw === undefined ? undefined : JSON.parse(raw);
      return isObject(read) ? read : { content: [{ type: "text", text: result.output }], isError: true };
    },
    read: (shown, uri, signal) => mcp.apps.read(shownBy(shown).app, uri, signal),
  };
}
