import { describe, expect, test } from "vitest";
import type { Settings } from "./config/types.ts";
import { widenedPolicy, type SettingsChange } from "./widened-policy.ts";

const now = (policy: Partial<Settings["policy"]> = {}, pluginNetwork = true) => ({
  policy: {
    approval: "on_request" as const,
    sandbox: "workspace_write" as const,
    writableRoots: [],
    networkAccess: false,
    carefulAfterOutsideText: true,
    ...policy,
  },
  sandbox: { pluginNetwork },
});
const widened = (change: SettingsChange, before = now()): readonly string[] =>
  widenedPolicy(before, change).map(({ setting, from, to }) => `${setting}: ${from} → ${to}`);

describe("more is allowed", () => {
  test.each<[SettingsChange, ReturnType<typeof now>, string]>([
    [{ sandbox: "full_access" }, now(), "policy.sandbox: workspace_write → full_access"],
    [
      { sandbox: "workspace_write" },
      now({ sandbox: "read_only" }),
      "policy.sandbox: read_only → workspace_write",
    ],
    [{ approval: "on_request" }, now({ approval: "always" }), "policy.approval: always → on_request"],
    [{ approval: "never" }, now({ approval: "always" }), "policy.approval: always → never"],
    [{ networkAccess: true }, now(), "policy.network_access: false → true"],
    [{ carefulAfterOutsideText: false }, now(), "policy.careful_after_outside_text: true → false"],
    [{ pluginNetwork: true }, now({}, false), "sandbox.pluginNetwork: false → true"],
    [{ addRoot: "/b" }, now({ writableRoots: ["/a"] }), "policy.writable_roots:  → /b"],
  ])("by %j", (change, before, expected) => expect(widened(change, before)).toEqual([expected]));
});
describe("nothing more is allowed", () => {
  test.each<[SettingsChange, ReturnType<typeof now>]>([
    [{ model: "a/b", theme: "dark", locale: "zh" }, now()],
    [{ sandbox: "read_only" }, now()],
    [{ sandbox: "workspace_write" }, now()],
    [{ approval: "always" }, now()],
    [{ approval: "never" }, now()],
    [{ approval: "on_request" }, now({ approval: "never" })],
    [
      { networkAccess: false, carefulAfterOutsideText: true, pluginNetwork: false },
      now({ networkAccess: true }),
    ],
    [{ networkAccess: true }, now({ networkAccess: true })],
    [{ removeRoot: "/a" }, now({ writableRoots: ["/a"] })],
    [{ addRoot: "/a" }, now({ writableRoots: ["/a"] })],
  ])("by %j", (change, before) => expect(widened(change, before)).toEqual([]));
});
