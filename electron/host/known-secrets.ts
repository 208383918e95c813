import type { Foundation } from "./foundation.ts";
import { declaredSecrets, secretsOf } from "./mcp/launch.ts";
import { modelKeyVariables } from "./models/resolve.ts";
import { keyReference } from "./config/key-reference.ts";

type Known = Pick<Foundation, "config" | "env" | "masker" | "trust" | "secrets">;

/**
 * Tells the masker every secret that settings and declarations name in the environment, before anything uses one: what
 * is written down earlier is masked too. Of a folder that nobody trusts only the values of variables count, so that it
 * cannot choose which words of a trace are hidden.
 */
export function learnSecrets({ config, env, masker, trust }: Known): void {
  const { settings, mcp } = config.current;
  const variable = (name: string): string | undefined => env[name];
  const values = ["NACRE_API_KEY", ...modelKeyVariables(settings)].map((name) => env[name] ?? "");
  const trusted = trust.isTrusted();
  const servers = mcp.flatMap((declaration) =>
    secretsOf(
      declaration,
      { variable, secret: () => undefined },
      trusted || declaration.scope !== "workspace",
    ),
  );
  for (const value of [...values, ...servers]) masker.add(value);
}

/** The same for what lies in the key store, for an export: it may hold what an earlier start of the app used. */
export async function learnStoredSecrets({ config, masker, secrets }: Known): Promise<void> {
  const { settings, mcp } = config.current;
  const keys = Object.values(settings.providers).flatMap(({ apiKey }) => {
    const reference = apiKey === undefined ? undefined : keyReference(apiKey);
    return reference?.kind === "secret" ? [reference.name] : [];
  });
  // As at its start: a server has none but its own.
  const servers = mcp.flatMap((declaration) =>
    declaredSecrets(declaration).filter((name) => name.startsWith(`mcp/${declaration.name}/`)),
  );
  for (const name of new Set([...keys, ...servers])) {
    const value = await secrets.get(name);
    if (value !== undefined) masker.add(value);
  }
}
