import type { Foundation } from "./foundation.ts";
import { lookOrNone } from "./kit/files.ts";
import { declaredSecrets, secretsOf } from "./mcp/launch.ts";
import { oauthRecordName, secretsInRecord } from "./mcp/oauth/record.ts";
import { modelKeyVariables } from "./models/resolve.ts";
import { keyReference } from "./config/key-reference.ts";

type Known = Pick<Foundation, "config" | "env" | "masker" | "trust" | "secrets">;

/** Variables whose name says that they hold a secret. */
const secretNames =
  /(TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|(API|ACCESS|PRIVATE|SECRET)_?KEY|CREDENTIALS?)$/i;
/** Variables that may hold an address with a password in it. */
const addressNames = /(URL|URI|DSN)$/i;
/** What such a variable may hold without being one: a word, a number. */
const plainValue = /^([A-Z]?[a-z]{1,20}|[A-Z]{1,20}|[\d.,:-]+)$/;
const shortestValue = 8;

/** Secrets in the user's own environment, by the names of its variables: what commands inherit and may print. */
export function secretsOfEnvironment(env: Readonly<NodeJS.ProcessEnv>): string[] {
  return Object.entries(env).flatMap(([name, value = ""]) => {
    const found = secretNames.test(name) ? value : addressNames.test(name) ? passwordIn(value) : "";
    if (found.length < shortestValue || plainValue.test(found)) return [];
    // A key in base64 may begin like a path; a path that names something is one.
    return /^(~|\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(found) && lookOrNone(found) !== undefined ? [] : [found];
  });
}
/** The password of `scheme://user:password@host`, as it is written. */
const passwordIn = (address: string): string =>
  /^[a-z][\w+.-]*:\/\/[^/?#@:]*:([^/?#]+)@/i.exec(address)?.[1] ?? "";

/**
 * Tells the masker every secret that settings and declarations name in the environment, before anything uses one: what
 * is written down earlier is masked too; and those of the user's environment, which commands may print. Of a folder that nobody trusts only the values of variables count, so that it
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
  for (const value of [...values, ...servers, ...secretsOfEnvironment(env)]) masker.add(value);
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
  for (const { config: declared } of mcp) {
    const { url, oauth } = declared;
    if (url === undefined || !URL.canParse(url)) continue;
    const record = await secrets.get(oauthRecordName(new URL(url), oauth));
    for (const value of secretsInRecord(record ?? "")) masker.add(value);
  }
}
