import type { Contribution, ContributionKind } from "../../shared/contribution.ts";
import type { PluginRow } from "../../shared/extension-rows.ts";
import { isObject } from "../../shared/json.ts";

const kinds: readonly ContributionKind[] = ["skill", "tool", "mcp", "hook", "agent", "lsp", "dap", "prompt"];
export interface ContributionGroup {
  readonly kind: ContributionKind;
  readonly rows: readonly Contribution[];
  readonly on: number;
}

/** What a plugin brings, by kind. */
export const contributionGroups = (contributions: readonly Contribution[]): ContributionGroup[] =>
  kinds
    .map((kind) => {
      const rows = contributions.filter((one) => one.kind === kind);
      return { kind, rows, on: rows.filter(({ enabled }) => enabled).length };
    })
    .filter(({ rows }) => rows.length > 0);

/** The switch of the whole: partly on where a part is switched off alone. */
export function wholeSwitch({ state, contributions }: PluginRow): boolean | "mixed" {
  if (state === "off" || state === "invalid" || state === "shadowed") return false;
  return contributions.every(({ enabled }) => enabled) ? true : "mixed";
}
/** What is broken or stands behind another one has nothing to switch. */
export const canSwitch = ({ state }: Pick<PluginRow, "state">): boolean =>
  state !== "invalid" && state !== "shadowed";

/** What a manifest asks for, a line each: keys and values as they are written. */
export function permissionLines(permissions: unknown): { readonly key: string; readonly value: string }[] {
  if (permissions === undefined || permissions === null) return [];
  const text = (value: unknown): string => {
    if (typeof value === "string") return value;
    if (Array.isArray(value)) return value.map(text).join(", ");
    return JSON.stringify(value) ?? "";
  };
  if (!isObject(permissions)) return [{ key: "", value: text(permissions) }];
  return Object.entries(permissions).map(([key, value]) => ({ key, value: text(value) }));
}
