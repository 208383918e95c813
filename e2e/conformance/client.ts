/**
 * The client that the MCP conformance suite drives: Nacre's own MCP manager in a plain Node process. The suite appends the
 * url of its server to the command and names the scenario in the environment; scripts/conformance.mjs runs it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { isObject, type JsonObject } from "../../shared/json.ts";
import { systemClock } from "../../electron/host/kit/clock.ts";
import { Emitter } from "../../electron/host/kit/emitter.ts";
import { silentLogger } from "../../electron/host/kit/log.ts";
import { parseMcpServers } from "../../electron/host/config/mcp-declaration.ts";
import { createMcp } from "../../electron/host/mcp/manager.ts";
import { skillsExtension } from "../../electron/host/mcp/skills/server-skills.ts";
import type { Tool } from "../../electron/host/tools/types.ts";
import { sampleInput } from "./sample-input.ts";

const name = "suite";
const [url] = process.argv.slice(2);
const context: unknown = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
const folder = mkdtempSync(path.join(os.tmpdir(), "nacre-conformance-"));
const secrets = new Map<string, string>();
/** The server as a person would declare it, with what the scenario says that they were given for it. */
const entry = { url, ...declaredOAuth(process.env["MCP_CONFORMANCE_SCENARIO"] ?? "") };
const [declaration] = parseMcpServers(
  { mcpServers: { [name]: entry } },
  { owner: "user", scope: "user", file: path.join(folder, "mcp.json"), base: folder },
).declarations;
if (!declaration) throw new Error("the declaration was not read");

/** The `oauth` that fits a scenario; nothing where the app has to find its way alone. */
function declaredOAuth(scenario: string): { readonly oauth?: JsonObject } {
  if (!isObject(context) || context["client_id"] === undefined) return {};
  const { client_id, client_secret, private_key_pem, signing_algorithm, valid_jwt, issuer } = context;
  const { idp_client_id, idp_id_token, idp_token_endpoint } = context;
  const grants: Readonly<Record<string, JsonObject>> = {
    "auth/client-credentials-jwt": {
      grant: "client_credentials",
      private_key: private_key_pem,
      signing_algorithm,
    },
    "auth/client-credentials-basic": { grant: "client_credentials", client_secret },
    "auth/enterprise-managed-authorization": {
      grant: "enterprise",
      client_secret,
      idp: { client_id: idp_client_id, id_token: idp_id_token, token_endpoint: idp_token_endpoint },
    },
    "auth/wif-jwt-bearer": { grant: "jwt_bearer", assertion: valid_jwt },
  };
  return {
    oauth: {
      client_id,
      ...(issuer === undefined ? {} : { issuer }),
      ...(grants[scenario] ?? { client_secret }),
    },
  };
}

/** Stands in for a person who agrees at once: the sign-in page of the suite leads straight back. */
async function openBrowser(page: URL): Promise<void> {
  const { headers, status } = await fetch(page, { redirect: "manual" });
  const back = headers.get("location");
  if (back === null) throw new Error(`the sign-in page answered ${status}`);
  await (await fetch(back)).text();
}

const tools = new Map<string, Tool>();
const mcp = createMcp({
  workspace: folder,
  paths: { home: folder, config: folder, data: folder, cache: folder, cst: folder },
  env: process.env,
  declarations: () => [declaration],
  digestOf: () => "",
  trust: { stateOf: () => "approved", onChange: new Emitter<void>() },
  switches: { isOn: () => true, set: () => Promise.resolve(), onChange: new Emitter<void>() },
  addTool: (tool) => {
    tools.set(tool.title, tool);
    return () => void tools.delete(tool.title);
  },
  secrets: {
    get: (key) => Promise.resolve(secrets.get(key)),
    set: (key, value) => Promise.resolve(void secrets.set(key, value)),
  },
  ask: () => Promise.resolve({ action: "accept", content: {} }),
  openBrowser,
  clientMetadataUrl: "https://conformance-test.local/client-metadata.json",
  log: silentLogger,
  clock: systemClock,
  fetch: globalThis.fetch,
  client: { name: "nacre", version: __NACRE_VERSION__, extensions: { [skillsExtension]: {} } },
  maskSecret: () => undefined,
  mask: (text) => text,
});

/** The calls that the scenario asks for; every offered tool once where it names none. */
function plannedCalls(): { readonly tool: string; readonly input: JsonObject }[] {
  const asked = isObject(context) ? context["toolCalls"] : undefined;
  if (Array.isArray(asked))
    return asked.filter(isObject).map((call) => ({
      tool: String(call["name"]),
      input: isObject(call["arguments"]) ? call["arguments"] : {},
    }));
  const prefix = `mcp.${name}.`;
  const offered = [...tools].filter(([title]) => title.startsWith(prefix));
  const schemas = offered.map(([, { inputSchema }]) => inputSchema);
  return offered.map(([title, { inputSchema }]) => ({
    tool: title.slice(prefix.length),
    // A tool that takes a schema is given one as the client holds it (json-schema-2020-12-preservation).
    input: sampleInput(inputSchema, schemas[0] ?? {}),
  }));
}

/** As a model would that loads every skill. What does not verify is refused, and that is no failure of the client. */
async function loadSkills(): Promise<void> {
  if (process.env["MCP_CONFORMANCE_SCENARIO"] === "sep-2640-client-no-prefetch") return;
  for (const skill of mcp.skills.all())
    try {
      const { body } = await mcp.skills.load(skill, new AbortController().signal);
      console.log("skill", skill.entry.name, `${body.length} characters`);
    } catch (error) {
      console.log("skill", skill.entry.name, String(error));
    }
}

async function main(): Promise<void> {
  try {
    mcp.start();
    const { notReady } = await mcp.settled(60_000);
    if (notReady.length > 0) throw new Error(mcp.rows()[0]?.error ?? "it is not ready");
    for (const { tool, input } of plannedCalls()) {
      const result = await mcp.call(name, tool, input, {}, new AbortController().signal);
      console.log(tool, JSON.stringify(result));
    }
    await loadSkills();
  } catch (error) {
    console.error(error);
    console.error(mcp.logs(name).join("\n"));
    process.exitCode = 1;
  } finally {
    await mcp.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
void main();
