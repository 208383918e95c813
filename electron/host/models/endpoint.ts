import { NacreError } from "../../../shared/errors.ts";
import { keyReference, type KeyReference } from "../config/key-reference.ts";
import type { Settings } from "../config/types.ts";
import { parseModelId, type ModelId } from "./model-id.ts";

/** Where a model is reached. `key` is a reference, never the key itself. */
export interface Endpoint extends ModelId {
  readonly baseUrl: string;
  readonly key: KeyReference | null;
}
export interface EndpointQuery {
  /** `--model`, or a role's `model`. */
  readonly id?: string;
  /** The model of the caller: a bare name stays with its provider (spec 7). */
  readonly parent?: string;
  readonly settings: Pick<Settings, "model" | "providers">;
  readonly env: NodeJS.ProcessEnv;
}

/** The provider that needs no settings: its address is NACRE_BASE_URL (cli.md). */
const environmentProvider = "openai-compatible";

const configuration = (message: string): NacreError => new NacreError("configuration", message);
const word = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined);

/** `${NAME}` or `secret:NAME`. @throws NacreError `configuration` for anything else, such as the key itself */
export function parseKeyReference(text: string, provider: string): KeyReference {
  const reference = keyReference(text);
  if (reference !== undefined) return reference;
  throw configuration(
    `models.providers.${provider}.apiKey holds neither \${NAME} nor secret:NAME; keys are kept in a variable of the environment or in the system's key store, never in the file`,
  );
}

function checkedUrl(text: string, where: string): string {
  const protocol = URL.canParse(text) ? new URL(text).protocol : "";
  if (protocol === "http:" || protocol === "https:") return text.replace(/\/+$/, "");
  throw configuration(
    `${where} is no http or https address: ${text}; write it like http://127.0.0.1:8080/v1`,
  );
}

/** The id in full. A bare name belongs to the parent's provider, to one that lists it, or to the default model's. */
function qualify(id: string, query: EndpointQuery, fallback: string | undefined): ModelId {
  const full = parseModelId(id);
  if (full !== undefined) return full;
  const parent = query.parent === undefined ? undefined : parseModelId(query.parent)?.provider;
  const listing = Object.entries(query.settings.providers).find(([, row]) => row.models?.includes(id))?.[0];
  const usual = fallback === undefined ? undefined : parseModelId(fallback)?.provider;
  const provider =
    parent ?? listing ?? usual ?? (word(query.env["NACRE_BASE_URL"]) ? environmentProvider : undefined);
  if (provider === undefined)
    throw new NacreError("invalid_input", `"${id}" names no provider; write it as PROVIDER/MODEL`);
  return { provider, model: id };
}

/**
 * Which model answers and where: `id`, else NACRE_MODEL, else `model` of the settings. NACRE_BASE_URL and NACRE_API_KEY
 * hold for `openai-compatible` and for the provider that NACRE_MODEL names; another endpoint's key is never sent there.
 * @returns null where no model is chosen: the guide answers
 * @throws NacreError `configuration` or `invalid_input`, with what to change
 */
export function findEndpoint(query: EndpointQuery): Endpoint | null {
  const { settings, env } = query;
  const environmentModel = word(env["NACRE_MODEL"]);
  const usual = environmentModel ?? word(settings.model ?? undefined);
  const id = word(query.id) ?? usual;
  if (id === undefined) return null;
  const { provider, model } = qualify(id, query, usual);

  const named = environmentModel === undefined ? undefined : parseModelId(environmentModel)?.provider;
  const environmentHolds = provider === environmentProvider || provider === named;
  const environmentUrl = environmentHolds ? word(env["NACRE_BASE_URL"]) : undefined;
  const environmentKey =
    environmentHolds && word(env["NACRE_API_KEY"])
      ? ({ kind: "variable", name: "NACRE_API_KEY" } as const)
      : undefined;
  if (environmentUrl !== undefined)
    return {
      provider,
      model,
      baseUrl: checkedUrl(environmentUrl, "NACRE_BASE_URL"),
      key: environmentKey ?? null,
    };

  const row = Object.hasOwn(settings.providers, provider) ? settings.providers[provider] : undefined;
  if (row !== undefined) {
    const own = row.apiKey === undefined ? null : parseKeyReference(row.apiKey, provider);
    const baseUrl = checkedUrl(row.baseUrl, `models.providers.${provider}.baseUrl`);
    return { provider, model, baseUrl, key: environmentKey ?? own };
  }
  if (provider === environmentProvider)
    throw configuration(
      `the model ${provider}/${model} needs an address: set NACRE_BASE_URL, or models.providers.${provider}.baseUrl in settings.json`,
    );
  const known = [...Object.keys(settings.providers), environmentProvider].join(", ");
  throw configuration(
    `there is no model provider "${provider}" for ${provider}/${model} (known: ${known}); add models.providers.${provider} with its baseUrl to settings.json`,
  );
}
