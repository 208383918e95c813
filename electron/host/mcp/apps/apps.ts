import { NacreError } from "../../../../shared/errors.ts";
import { longestAppMessage, type McpAppPage, type McpAppRef } from "../../../../shared/mcp-app.ts";
import type { McpServer } from "../server.ts";
import { toolTitle } from "../tool-names.ts";
import { readAppPage } from "./app-page.ts";
import { isForApps } from "./declared-app.ts";

/** What apps of servers may have (MCP Apps): each of its own server alone, and nothing of one that is not ready. */
export class McpApps {
  readonly #find: (name: string) => McpServer;

  /** @param find throws NacreError `not_found` */
  constructor(find: (name: string) => McpServer) {
    this.#find = find;
  }
  /** @throws NacreError `unavailable` and the like where the server is not ready; `invalid_input` for what is no app */
  async page(ref: McpAppRef, signal: AbortSignal): Promise<McpAppPage> {
    return readAppPage(await this.#read(ref, ref.uri, signal), ref.uri);
  }
  /** A resource of the app's own server, its answer as it came. @throws NacreError as `page` */
  async read(ref: McpAppRef, uri: string, signal: AbortSignal): Promise<unknown> {
    const result = await this.#read(ref, uri, signal);
    const { length } = JSON.stringify(result) ?? "";
    if (length > longestAppMessage)
      throw new NacreError("invalid_input", `${uri} is too long for an app: ${length} characters`);
    return result;
  }
  /**
   * The title of a tool of the app's own server that apps may call, also of one that no model is offered.
   * @throws NacreError `not_found`, `denied` for a tool that is for the model alone
   */
  toolTitle(ref: McpAppRef, name: string): string {
    const tool = this.#server(ref).tools.find((one) => one.name === name);
    if (!tool)
      throw new NacreError("not_found", `the MCP server "${ref.server}" has no tool "${name}" for its app`);
    if (!isForApps(tool))
      throw new NacreError("denied", `the tool "${name}" of "${ref.server}" is not for apps`);
    return toolTitle(ref.server, name);
  }
  async #read(ref: McpAppRef, uri: string, signal: AbortSignal): Promise<unknown> {
    return this.#server(ref).request("resources/read", { uri }, {}, signal);
  }
  /** Another server of the name is not the one that the app came from. */
  #server({ server: name, serverId }: McpAppRef): McpServer {
    const server = this.#find(name);
    if (server.id !== serverId)
      throw new NacreError("not_found", `the MCP server "${name}" of this app is gone: another has its name`);
    return server;
  }
}
