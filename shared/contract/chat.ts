import * as z from "zod/mini";
import type { Entry, SessionRow } from "../session.ts";
import { method } from "./method.ts";

const sessionId = z.string();
export const chatContract = {
  "chat.create": method(z.object({})).returns<SessionRow>(),
  /** A message, or a slash command; queued while a turn runs. */
  "chat.send": method(z.object({ sessionId, text: z.string() })).returns<null>(),
  "chat.unqueue": method(z.object({ sessionId, index: z.number() })).returns<null>(),
  "chat.stop": method(z.object({ sessionId })).returns<null>(),
  /** The 50 entries before the one named. */
  "chat.page": method(z.object({ sessionId, before: z.string() })).returns<{
    entries: readonly Entry[];
    before: string | null;
  }>(),
  "chat.rename": method(z.object({ sessionId, title: z.string() })).returns<null>(),
  /** The whole output of one tool call, from the record. */
  "chat.output": method(z.object({ sessionId, callId: z.string() })).returns<{ output: string }>(),
} as const;
