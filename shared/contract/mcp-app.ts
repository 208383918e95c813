import * as z from "zod/mini";
import type { JsonObject } from "../json.ts";
import type { McpAppPage } from "../mcp-app.ts";
import { method } from "./method.ts";

/** The call that an app shows. What the app is and whose, the host knows of its record: no window names a server here. */
const call = { sessionId: z.string(), callId: z.string() };

/** What a window does for the app of a call. The app itself has no channel: the window speaks for it. */
export const mcpAppContract = {
  /** The app's page. Fails as long as its server is not ready. */
  "mcp.app": method(z.object(call)).returns<McpAppPage>(),
  /** The call's whole result, as its server gave it; null while there is none, or where it came to none. */
  "mcp.appResult": method(z.object(call)).returns<{ readonly result: JsonObject | null }>(),
  /** The app calls a tool of its own server: judged and asked as every call is. Gives a `CallToolResult`. */
  "mcp.appCall": method(
    z.object({ ...call, tool: z.string(), input: z.record(z.string(), z.unknown()) }),
  ).returns<{ readonly result: JsonObject }>(),
  /** The app reads a resource of its own server. */
  "mcp.appRead": method(z.object({ ...call, uri: z.string() })).returns<{ readonly result: unknown }>(),
} as const;
