import type { Requirement } from "../../shared/market.ts";

/** `node ≥ 20`, `docker`: what a requirement asks for, as a person writes it. */
export const needText = ({ kind, need }: Pick<Requirement, "kind" | "need">): string =>
  need === undefined ? kind : `${kind} ${need.replace(/^>=\s*/, "≥ ")}`;

/** The first thing that is missing or too old, or undefined. */
export const firstMissing = (requirements: readonly Requirement[]): Requirement | undefined =>
  requirements.find(({ ok }) => !ok);

/** `shell` and `net:api.github.com` apart: what is asked for, and where. */
export function permissionParts(permission: string): { readonly perm: string; readonly where: string } {
  const at = permission.indexOf(":");
  return at === -1
    ? { perm: permission, where: "" }
    : { perm: permission.slice(0, at), where: permission.slice(at + 1) };
}
