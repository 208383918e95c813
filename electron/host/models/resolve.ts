import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { ChatModel } from "../../../shared/model.ts";
import type { ModelRow } from "../../../shared/workspace.ts";
import type { Settings } from "../config/types.ts";
import type { Clock } from "../kit/clock.ts";
import { findEndpoint, parseKeyReference, type Endpoint, type EndpointQuery } from "./endpoint.ts";
import { parseModelId } from "./model-id.ts";
import { openAICompatibleModel } from "./openai-compatible.ts";
import { withRetry } from "./retry.ts";

/** Reads one secret of the store. */
export interface SecretReader {
  get(name: string): Promise<string | undefined>;
}
export interface ResolveOptions extends EndpointQuery {
  readonly secrets: SecretReader;
  readonly fetch: typeof globalThis.fetch;
  readonly clock?: Clock;
  /** Is told every key that is used, so that logs mask it. */
  readonly onSecret?: (value: string) => void;
}

const keyWords = (endpoint: Endpoint): string | null =>
  endpoint.key === null
    ? null
    : endpoint.key.kind === "variable"
      ? endpoint.key.name
      : `the key store (${endpoint.key.name})`;

/** @throws NacreError `needs_setup` that names the variable or secret which is missing */
async function readKey(
  endpoint: Endpoint,
  env: NodeJS.ProcessEnv,
  secrets: SecretReader,
): Promise<string | undefined> {
  if (endpoint.key === null) return undefined;
  const { kind, name } = endpoint.key;
  const value = kind === "variable" ? env[name] : await secrets.get(name);
  if (value) return value;
  throw new NacreError(
    "needs_setup",
    kind === "variable"
      ? `the API key of ${endpoint.provider} is missing: set the variable ${name}`
      : `the API key of ${endpoint.provider} is missing in the key store: enter it in Settings, Models`,
    { data: { failure: "key" } },
  );
}

/**
 * The model that answers, with retries; null where none is chosen and the guide answers (see `findEndpoint`). Sends nothing.
 * @throws NacreError `configuration`, `invalid_input` or `needs_setup`, with what to change
 */
export async function resolveModel(options: ResolveOptions): Promise<ChatModel | null> {
  const endpoint = findEndpoint(options);
  if (endpoint === null) return null;
  const apiKey = await readKey(endpoint, options.env, options.secrets);
  if (apiKey !== undefined) options.onSecret?.(apiKey);
  return withRetry(
    openAICompatibleModel({
      provider: endpoint.provider,
      model: endpoint.model,
      baseUrl: endpoint.baseUrl,
      keySource: keyWords(endpoint),
      fetch: options.fetch,
      ...(apiKey === undefined ? {} : { apiKey }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    }),
  );
}

/** Every model that environment and settings name, and whether it is set up. Asks no server. */
export async function modelRows(
  query: Omit<EndpointQuery, "id">,
  secrets: SecretReader,
): Promise<ModelRow[]> {
  const { settings, env } = query;
  const listed = Object.entries(settings.providers).flatMap(([provider, row]) =>
    (row.models ?? []).map((model) => `${provider}/${model}`),
  );
  const chosen = [env["NACRE_MODEL"]?.trim(), settings.model?.trim()].flatMap((id) => (id ? [id] : []));
  const ids = [...chosen, ...listed];
  const rows = await Promise.all(
    [...new Set(ids)].map(async (id): Promise<ModelRow> => {
      try {
        const endpoint = findEndpoint({ ...query, id });
        if (endpoint !== null) await readKey(endpoint, env, secrets);
        return {
          id: endpoint ? `${endpoint.provider}/${endpoint.model}` : id,
          provider: endpoint?.provider ?? "",
          ok: true,
        };
      } catch (error) {
        const provider = parseModelId(id)?.provider ?? "";
        return { id, provider, ok: false, error: toErrorValue(error).message };
      }
    }),
  );
  return rows.filter((row, index) => rows.findIndex((other) => other.id === row.id) === index);
}

/** Variables that hold model keys: they are kept out of every child's environment (spec 4, Processes). */
export function modelKeyVariables(settings: Pick<Settings, "providers">): string[] {
  const names = Object.entries(settings.providers).flatMap(([provider, row]) => {
    if (row.apiKey === undefined) return [];
    try {
      const key = parseKeyReference(row.apiKey, provider);
      return key.kind === "variable" ? [key.name] : [];
    } catch {
      // A key that is no reference is reported when its model is used.
      return [];
    }
  });
  return [...new Set(names)].sort();
}
