import path from "node:path";
import { contributionId } from "../../shared/contribution.ts";
import type { Output } from "../../shared/contract/index.ts";
import { NacreError } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";
import type { McpTestResult } from "../../shared/mcp.ts";
import type { McpDeclaration } from "./config/types.ts";
import { draftServer } from "./draft-server.ts";
import type { Foundation } from "./foundation.ts";
import type { Host } from "./host.ts";
import type { Rooms } from "./rooms.ts";
import type { UserTrust } from "./user-trust.ts";

/** What a person does with the declarations of servers: the one place behind the settings and the command line. */
export interface McpEditor {
  /** Stores it as `needs_approval`. @throws NacreError `invalid_input`; `already_exists`, `not_found` by `replace` */
  draft(name: string, json: string, replace: boolean): Promise<void>;
  /** @throws NacreError `not_found` */
  source(name: string): Output<"mcp.source">;
  /** @throws NacreError `not_found`; `denied` for one that is not the user's own */
  remove(name: string): Promise<void>;
  /** @throws NacreError as `draft`, `source` */
  duplicate(name: string, as: string): Promise<void>;
  /** @throws NacreError `denied` where it is not what was shown; `not_trusted` for a workspace's in a folder that is not trusted */
  test(id: string, digest: string, signal: AbortSignal): Promise<McpTestResult>;
  importable(): Promise<Output<"mcp.importable">>;
  /** Drafts them; one that cannot be drafted holds up no other. */
  import(ids: readonly string[]): Promise<{
    readonly drafted: readonly string[];
    readonly refused: Output<"mcp.import">["refused"];
  }>;
}

export function createMcpEditor(
  foundation: Foundation,
  userTrust: UserTrust,
  { mcp }: Pick<Rooms, "mcp">,
  serverDeclaration: Host["serverDeclaration"],
): McpEditor {
  const { config, paths, trust } = foundation;
  const file = path.join(paths.config, "mcp.json");
  const isOwn = (declaration: McpDeclaration): boolean =>
    declaration.owner === "user" && declaration.file === file;
  const draft = async (name: string, json: string, replace: boolean): Promise<void> => {
    await draftServer(foundation, userTrust, { name, json, replace });
    await mcp.reload();
  };
  const source = (name: string): Output<"mcp.source"> => {
    const declaration = mcp.declaration(name);
    return {
      json: `${JSON.stringify(declaration.raw, null, 2)}\n`,
      file: declaration.file,
      editable: isOwn(declaration),
    };
  };
  return {
    draft,
    source,
    async remove(name) {
      const declaration = mcp.declaration(name);
      if (!isOwn(declaration))
        throw new NacreError(
          "denied",
          `the server ${name} comes from ${declaration.file}: take it out there, or switch it off`,
        );
      await mcp.stopServer(name);
      await config.updateFile(file, ({ mcpServers: servers }) => [
        {
          path: isObject(servers) && Object.hasOwn(servers, name) ? ["mcpServers", name] : [name],
          value: undefined,
        },
      ]);
      await mcp.reload();
      await mcp.forget(contributionId("mcp", "user", name));
    },
    duplicate: (name, as) => draft(as, source(name).json, false),
    async test(id, digest, signal) {
      // What stands on the disk is what would start.
      await config.reload();
      const { declaration, digest: now } = serverDeclaration({ id });
      const { name, scope } = declaration;
      if (now !== digest)
        throw new NacreError("denied", `the server ${name} has changed since it was shown: look at it again`);
      if (scope === "workspace" && !trust.isTrusted())
        throw new NacreError("not_trusted", `the server ${name} waits until this folder is trusted`);
      return mcp.test(declaration, signal);
    },
    importable: () => Promise.resolve({ rows: [], files: [] }),
    import: () => Promise.resolve({ drafted: [], refused: [] }),
  };
}
