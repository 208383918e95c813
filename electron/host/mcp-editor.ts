import path from "node:path";
import { contributionId } from "../../shared/contribution.ts";
import type { Output } from "../../shared/contract/index.ts";
import { NacreError, toErrorValue } from "../../shared/errors.ts";
import { isObject } from "../../shared/json.ts";
import type { McpTestResult } from "../../shared/mcp.ts";
import type { McpDeclaration } from "./config/types.ts";
import { draftServer } from "./draft-server.ts";
import type { Foundation } from "./foundation.ts";
import type { Host } from "./host.ts";
import { importables } from "./mcp/import/importable.ts";
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
  const { config, paths, trust, env, workspace } = foundation;
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
  const found = () =>
    importables({ platform: process.platform, home: paths.home, env, workspace }, config.current.mcp);
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
    async importable() {
      const { all, files } = await found();
      return { rows: all.map(({ row }) => row), files };
    },
    async import(ids) {
      const { all } = await found();
      const drafted: string[] = [];
      const refused: { id: string; reason: string }[] = [];
      for (const id of ids) {
        const entry = all.find(({ row }) => row.id === id);
        try {
          if (!entry) throw new NacreError("not_found", "it stands otherwise in its file by now: look again");
          const { row, raw } = entry;
          if (!raw)
            throw new NacreError("invalid_input", `${row.name} cannot be used: ${row.notes.join("; ")}`);
          await draftServer(foundation, userTrust, { name: row.as, json: JSON.stringify({ [row.as]: raw }) });
          drafted.push(row.as);
        } catch (error) {
          refused.push({ id, reason: toErrorValue(error).message });
        }
      }
      await mcp.reload();
      return { drafted, refused };
    },
  };
}
