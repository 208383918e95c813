import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer } from "../../../e2e/fixtures/model-server.mjs";
import type { ProviderSettings } from "../config/types.ts";
import { findEndpoint } from "./endpoint.ts";
import { modelKeyVariables, modelRows, resolveModel } from "./resolve.ts";

const local: ProviderSettings = {
  kind: "openai-compatible",
  baseUrl: "http://127.0.0.1:11434/v1/",
  models: ["llama"],
};
const cloud: ProviderSettings = {
  kind: "openai-compatible",
  baseUrl: "https://api.example.com/v1",
  apiKey: "${CLOUD_KEY}",
  models: ["big", "small"],
};
const stored: ProviderSettings = { ...cloud, apiKey: "secret:stored-key" };
const literal: ProviderSettings = { ...cloud, apiKey: "sk-123" };
const settings = { model: "cloud/big", providers: { local, cloud, stored, literal } };
const none = { model: null, providers: {} };
const base = { NACRE_BASE_URL: "http://127.0.0.1:9/v1" };
const secrets = { get: async (name: string) => (name === "stored-key" ? "from-store" : undefined) };

describe("findEndpoint", () => {
  it("gives null where no model is chosen", () => {
    expect(findEndpoint({ settings: none, env: {} })).toBeNull();
    expect(findEndpoint({ settings: none, env: { NACRE_MODEL: " ", ...base } })).toBeNull();
  });

  it("takes --model before NACRE_MODEL before the settings", () => {
    const env = { NACRE_MODEL: "local/llama" };
    expect(findEndpoint({ settings, env: {} })).toMatchObject({ provider: "cloud", model: "big" });
    expect(findEndpoint({ settings, env })).toMatchObject({
      provider: "local",
      model: "llama",
      baseUrl: "http://127.0.0.1:11434/v1",
      key: null,
    });
    expect(findEndpoint({ id: "cloud/small", settings, env })).toMatchObject({
      model: "small",
      key: { kind: "variable", name: "CLOUD_KEY" },
    });
  });

  it("needs no settings with NACRE_MODEL and NACRE_BASE_URL", () => {
    const env = { NACRE_MODEL: "openai-compatible/any", ...base };
    expect(findEndpoint({ settings: none, env })).toEqual({
      provider: "openai-compatible",
      model: "any",
      baseUrl: "http://127.0.0.1:9/v1",
      key: null,
    });
    expect(findEndpoint({ settings: none, env: { ...env, NACRE_API_KEY: "k" } })?.key).toEqual({
      kind: "variable",
      name: "NACRE_API_KEY",
    });
  });

  it("sends no key of the settings to NACRE_BASE_URL, and NACRE_API_KEY to nobody else", () => {
    expect(findEndpoint({ settings, env: { NACRE_MODEL: "cloud/big", ...base } })).toMatchObject({
      baseUrl: base.NACRE_BASE_URL,
      key: null,
    });
    const env = { NACRE_MODEL: "openai-compatible/any", NACRE_API_KEY: "k", ...base };
    expect(findEndpoint({ id: "local/llama", settings, env })?.key).toBeNull();
  });

  it("keeps slashes in a model's name", () => {
    expect(findEndpoint({ id: "cloud/vendor/model:free", settings, env: {} })?.model).toBe(
      "vendor/model:free",
    );
  });

  it.each([
    ["the parent's provider", "llama", "cloud/big", "cloud"],
    ["the provider that lists it", "llama", undefined, "local"],
    ["the default model's provider", "other", undefined, "cloud"],
  ])("gives a bare name to %s", (_name, id, parent, provider) => {
    const query = { id, settings, env: {}, ...(parent === undefined ? {} : { parent }) };
    expect(findEndpoint(query)).toMatchObject({ provider, model: id });
  });

  it.each([
    [{ id: "nobody/x", settings, env: {} }, /no model provider "nobody".*known: local, cloud/],
    [{ id: "constructor/x", settings, env: {} }, /no model provider "constructor"/],
    [{ id: "openai-compatible/x", settings, env: {} }, /set NACRE_BASE_URL/],
    [{ id: "bare", settings: none, env: {} }, /PROVIDER\/MODEL/],
    [{ id: "literal/x", settings, env: {} }, /never in the file/],
    [
      { id: "openai-compatible/x", settings, env: { NACRE_BASE_URL: "localhost" } },
      /NACRE_BASE_URL is no http/,
    ],
  ])("explains %j", (query, words) => {
    expect(() => findEndpoint(query)).toThrow(words);
  });

  it("never repeats a key that stands in the file", () => {
    expect(() => findEndpoint({ id: "literal/x", settings, env: {} })).not.toThrow(/sk-123/);
  });
});

describe("resolveModel", () => {
  let server: ModelServer | undefined;
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });

  it("reads the key from its variable or the store, and tells it to the masker", async () => {
    server = await startModelServer({ steps: [{ text: "ok", repeat: true }], apiKey: "from-store" });
    const providers = { stored: { ...stored, baseUrl: server.url } };
    const used: string[] = [];
    const model = await resolveModel({
      settings: { model: "stored/any", providers },
      env: {},
      secrets,
      fetch: globalThis.fetch,
      onSecret: (value) => used.push(value),
    });
    expect(model?.id).toBe("stored/any");
    const events = model?.stream(
      { system: "", messages: [{ role: "user", text: "x" }], tools: [] },
      AbortSignal.timeout(5000),
    );
    for await (const _event of events ?? []) void _event;
    expect(server.exchanges[0]?.headers["authorization"]).toBe("Bearer from-store");
    expect(used).toEqual(["from-store"]);
  });

  it("names the key that is missing", async () => {
    const rest = { env: {}, secrets, fetch: globalThis.fetch };
    await expect(resolveModel({ settings, ...rest })).rejects.toThrow(/set the variable CLOUD_KEY/);
    const lost = { model: "a/b", providers: { a: { ...stored, apiKey: "secret:lost" } } };
    await expect(resolveModel({ settings: lost, ...rest })).rejects.toThrow(/key store/);
    expect(await resolveModel({ settings: none, ...rest })).toBeNull();
  });
});

describe("modelRows", () => {
  it("lists each model once with what is missing", async () => {
    const rows = await modelRows(
      { settings, env: { NACRE_MODEL: "openai-compatible/any", ...base } },
      secrets,
    );
    expect(rows).toMatchObject([
      { id: "openai-compatible/any", provider: "openai-compatible", ok: true },
      { id: "cloud/big", ok: false, error: expect.stringContaining("CLOUD_KEY") as string },
      { id: "local/llama", ok: true },
      { id: "cloud/small", ok: false },
      { id: "stored/big", ok: true },
      { id: "stored/small", ok: true },
      { id: "literal/big", ok: false },
      { id: "literal/small", ok: false },
    ]);
  });
});

it("names the variables that hold keys", () => {
  expect(modelKeyVariables(settings)).toEqual(["CLOUD_KEY"]);
});
