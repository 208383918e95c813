import { NacreError } from "../../../shared/errors.ts";
import type { PlanVariable } from "../../../shared/market.ts";

/** A whole value that names a variable of the environment: `${GITHUB_TOKEN}`. */
const reference = /^\$\{[A-Za-z_]\w*\}$/;

export interface ResolvedVariables {
  /** What is written into the file, by key; a secret as a reference. */
  readonly written: Readonly<Record<string, string>>;
  /** What goes into the secret store first. */
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
}
/** The name of a server's secret in the store; `${secret:NAME}` in the file stands for it. */
export const secretName = (server: string, key: string): string => `mcp/${server}/${key}`;

/** @throws NacreError `invalid_input` for a key that was not asked */
export function assertKnownVariables(
  asked: readonly PlanVariable[],
  given: Readonly<Record<string, string>>,
  server: string,
): void {
  const unknown = Object.keys(given).filter((key) => !asked.some((variable) => variable.key === key));
  if (unknown.length === 0) return;
  const known = asked.map(({ key }) => key).join(", ") || "no variable";
  throw new NacreError(
    "invalid_input",
    `${server} does not ask for ${unknown.join(", ")}; it asks for ${known}`,
  );
}

/**
 * Turns the answers of the form into what is written. A secret is never written in plain text: a reference stays as it
 * is, a value goes into the system's secret store (spec 11).
 * @throws NacreError `invalid_input` for a key that was not asked, `needs_setup` for one that is missing or cannot be kept
 */
export function resolveVariables(
  asked: readonly PlanVariable[],
  given: Readonly<Record<string, string>>,
  server: string,
  hasSecretStore: boolean,
): ResolvedVariables {
  assertKnownVariables(asked, given, server);
  const written: Record<string, string> = {};
  const secrets: { name: string; value: string }[] = [];
  const missing: string[] = [];
  for (const { key, required, secret, default: fallback } of asked) {
    const value = given[key] || fallback || "";
    if (value === "") {
      if (required) missing.push(key);
    } else if (!secret || reference.test(value)) written[key] = value;
    else if (hasSecretStore) {
      const name = secretName(server, key);
      secrets.push({ name, value });
      written[key] = `\${secret:${name}}`;
    } else
      throw new NacreError(
        "needs_setup",
        `${key} is a secret, and this computer has no store for secrets: put it into the environment and give its name, --set ${key}=\${${key}}`,
      );
  }
  if (missing.length > 0)
    throw new NacreError(
      "needs_setup",
      `${server} needs ${missing.join(", ")}: give ${missing.map((key) => `--set ${key}=VALUE`).join(" ")}, or \${NAME} for a variable of the environment`,
      { data: { missing } },
    );
  return { written, secrets };
}
