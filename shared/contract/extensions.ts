import * as z from "zod/mini";
import type { ToolRow } from "../extension-rows.ts";
import { method } from "./method.ts";

export const extensionsContract = {
  /** The switch of one contribution or of a whole plugin (`plugin:NAME`). */
  "switch.set": method(z.object({ id: z.string(), enabled: z.boolean() })).returns<null>(),
  "extensions.reload": method(
    z.object({ what: z.enum(["skills", "plugins", "mcp", "agents"]) }),
  ).returns<null>(),
  "tools.list": method(z.object({})).returns<readonly ToolRow[]>(),
} as const;
