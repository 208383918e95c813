import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { startModelServer, type ModelServer, type ModelServerOptions } from "../fixtures/model-server.mjs";

export const root = path.join(import.meta.dirname, "../..");

/** A workspace, a home and a model server of their own; everything is gone after `stop()`. */
export interface World {
  readonly folder: string;
  readonly workspace: string;
  readonly config: string;
  readonly model: ModelServer;
  readonly env: Record<string, string>;
  /** A file that exists once something of the workspace ran. */
  readonly canary: string;
  /** Process ids whose environment names this world: what Nacre left behind, on Linux. */
  stop(): Promise<void>;
}
/** The real MCP server of npm, started by its file, so that no network is needed. */
const everythingServer = (): string =>
  createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/dist/index.js");

export async function createWorld(
  script: ModelServerOptions,
  options: { trusted?: boolean; settings?: Record<string, unknown> } = {},
): Promise<World> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "nacre-e2e-"));
  const workspace = path.join(folder, "harbor");
  const config = path.join(folder, "config");
  const canary = path.join(folder, "canary");
  cpSync(path.join(root, "e2e/fixtures/workspace"), workspace, { recursive: true });
  for (const name of ["home", "config", "data", "cache"]) mkdirSync(path.join(folder, name));
  writeFileSync(
    path.join(workspace, ".agent/mcp.json"),
    `${JSON.stringify(
      {
        mcpServers: {
          everything: {
            command: process.execPath,
            args: [everythingServer()],
            env: { CANARY: canary },
            autoApprove: ["echo"],
          },
        },
      },
      null,
      2,
    )}\n`,
  );
  writeFileSync(
    path.join(config, "settings.json"),
    JSON.stringify({
      ...(options.trusted ? { trusted_workspaces: [workspace] } : {}),
      ...options.settings,
    }),
  );
  const model = await startModelServer(script);
  return {
    folder,
    workspace,
    config,
    model,
    canary,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: path.join(folder, "home"),
      USERPROFILE: path.join(folder, "home"),
      XDG_CONFIG_HOME: path.join(folder, "home/.config"),
      LANG: "en_US.UTF-8",
      CANARY: canary,
      NACRE_CONFIG_DIR: config,
      NACRE_DATA_DIR: path.join(folder, "data"),
      NACRE_CACHE_DIR: path.join(folder, "cache"),
      NACRE_MODEL: "openai-compatible/any",
      NACRE_BASE_URL: model.url,
      NACRE_E2E_WORLD: folder,
    },
    async stop() {
      await model.stop();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What the canary says, or undefined where nothing ran. */
export const canaryOf = (world: World): string | undefined =>
  existsSync(world.canary) ? readFileSync(world.canary, "utf8") : undefined;

/** An `npx` in front of the real one, that runs the installed package by its file: the real server, without a network. */
export function writeNpx(world: World): void {
  const bin = path.join(world.folder, "bin");
  mkdirSync(bin, { recursive: true });
  const script = `#!/bin/sh\nif [ "$1" = --version ]; then echo 11.0.0; exit 0; fi\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(everythingServer())}\n`;
  writeFileSync(path.join(bin, "npx"), script, { mode: 0o755 });
  world.env["PATH"] = `${bin}${path.delimiter}${world.env["PATH"] ?? ""}`;
}
