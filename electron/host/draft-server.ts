import path from "node:path";
import { NacreError } from "../../shared/errors.ts";
import { canonicalJson, isObject } from "../../shared/json.ts";
import { parseMcpServers } from "./config/mcp-declaration.ts";
import { mcpDigest } from "./declarations.ts";
import type { Foundation } from "./foundation.ts";
import type { UserTrust } from "./user-trust.ts";

/** One server in the text: alone, as `{"name": {…}}`, or with the `mcpServers` wrapper of other clients. */
function serverIn(json: string, name: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NacreError("invalid_input", `the server is no valid JSON: ${reason}`);
  }
  const servers = isObject(value) && isObject(value["mcpServers"]) ? value["mcpServers"] : value;
  if (isObject(servers) && isObject(servers[name])) return servers[name];
  const only = isObject(servers) ? Object.values(servers) : [];
  if (only.length === 1 && isObject(only[0])) return only[0];
  return servers;
}

/** A server that somebody wrote or pasted. */
export interface Draft {
  readonly name: string;
  readonly json: string;
  /** In the place of the one that has the name in this file. */
  readonly replace?: boolean;
}
/**
 * Puts a server into `<config>/mcp.json`, where it waits for approval. Nothing is started; one that is replaced by what
 * it says already is left as it is.
 * @throws NacreError `invalid_input` that says what is wrong; `already_exists`, or `not_found` where it is to be replaced
 */
export async function draftServer(
  foundation: Foundation,
  userTrust: UserTrust,
  { name, json, replace = false }: Draft,
): Promise<void> {
  const { config, paths, workspace } = foundation;
  if (!/^[\w.@ -]{1,64}$/.test(name))
    throw new NacreError(
      "invalid_input",
      `"${name}" is no name for a server: letters, digits, - _ . and blanks`,
    );
  const file = path.join(paths.config, "mcp.json");
  const taken = new NacreError(
    "already_exists",
    `a server ${name} stands in ${file} already: choose another name`,
  );
  await config.reload();
  const present = config.current.mcp.find((one) => one.name === name && one.file === file);
  if (present && !replace) throw taken;
  if (!present && replace)
    throw new NacreError("not_found", `there is no server ${name} in ${file} that could be changed`);
  const raw = serverIn(json, name);
  if (present && canonicalJson(present.raw) === canonicalJson(raw)) return;
  const { declarations, diagnostics } = parseMcpServers(
    { mcpServers: { [name]: raw } },
    { owner: "user", scope: "user", file, base: workspace },
  );
  const problem = diagnostics.find(({ severity }) => severity === "error");
  const [declaration] = declarations;
  if (problem || !declaration)
    throw new NacreError("invalid_input", problem?.message ?? "the text holds no server");
  if (declaration.config.command === undefined && declaration.config.url === undefined)
    throw new NacreError("invalid_input", `the server ${name} needs a command or a url`);
  // It waits before it stands in the file: a reload in between must not start it.
  await userTrust.draft(`mcp:user/${name}`, mcpDigest(declaration, foundation));
  await config.updateFile(file, (current) => {
    const { mcpServers: servers } = current;
    const isWrapped = isObject(servers) && Object.hasOwn(servers, name);
    if (isWrapped && !replace) throw taken;
    // A file without the wrapper holds the server at its top.
    const isBare = replace && !isWrapped && Object.hasOwn(current, name);
    return [{ path: isBare ? [name] : ["mcpServers", name], value: raw }];
  });
}
