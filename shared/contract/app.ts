import * as z from "zod/mini";
import type { Diagnostic } from "../diagnostic.ts";
import type { Subscribed } from "../topic.ts";
import { method } from "./method.ts";

/** `nacre doctor --json` (cli.md). */
export interface DoctorReport {
  readonly node: string;
  readonly electron: string | null;
  readonly sandbox: { readonly kind: string; readonly ok: boolean };
  readonly chromium?: string;
  readonly config: string;
  readonly models: readonly { readonly id: string; readonly ok: boolean; readonly error?: string }[];
  readonly problems: readonly Diagnostic[];
}
const position = z.object({ epoch: z.string(), seq: z.number() });

export const appContract = {
  /** Snapshot or missed events; later events arrive on the channel until `topic.unsubscribe`. */
  "topic.subscribe": method(
    z.object({ topic: z.string(), since: z.optional(position) }),
  ).returns<Subscribed>(),
  "topic.unsubscribe": method(z.object({ topic: z.string() })).returns<null>(),
  "app.doctor": method(z.object({})).returns<DoctorReport>(),
  /** A folder dialog of the system where the shell has one, else null. */
  "app.pickFolder": method(z.object({})).returns<{ path: string } | null>(),
  /** Opens another folder: in a window of its own on the desktop, in this page after a reload elsewhere. */
  "app.openFolder": method(z.object({ path: z.string() })).returns<{ path: string; reload: boolean }>(),
  /** Opens a web page in the system's browser; https, http and mailto only. */
  "app.openLink": method(z.object({ url: z.string() })).returns<null>(),
} as const;
