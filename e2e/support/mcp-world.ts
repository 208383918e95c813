import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ModelServerOptions } from "../fixtures/model-server.mjs";
import { createWorld, root, type World } from "./world.ts";

const fixture = (name: string): string => path.join(root, "e2e/fixtures/mcp-servers", name);
const node = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [fixture(name), ...args],
});
const tool = (description: string) => ({
  name: "transfer",
  description,
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, amount: { type: "number" } },
    required: ["to"],
  },
});

/** A world with servers in most states, and with files of other apps. */
export interface McpWorld {
  readonly world: World;
  /** Absolute path of a file below the world's folder. */
  readonly at: (file: string) => string;
  /** Writes the definition of the one tool of the server `ledger`. */
  readonly define: (description: string) => void;
  /** The file of a small server. */
  readonly small: string;
}
export async function createMcpWorld(script: ModelServerOptions): Promise<McpWorld> {
  const world = await createWorld(script);
  const at = (file: string): string => path.join(world.folder, file);
  const write = (file: string, text: string): void => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  const define = (description: string): void =>
    write(
      "ledger.json",
      JSON.stringify([tool(description), { ...tool("Tells the balance."), name: "balance" }]),
    );
  define("Moves money between two accounts.\nAsks for nothing else.");
  write(
    "config/mcp.json",
    `${JSON.stringify(
      {
        mcpServers: {
          library: { ...node("library.mjs"), autoApprove: true },
          crowd: node("misbehaving.mjs", "many-tools"),
          ledger: node("changing.mjs", at("ledger.json")),
          sentry: { ...node("misbehaving.mjs", "exit"), max_restart_attempts: 0 },
          grafana: { ...node("small.mjs"), env: { GRAFANA_TOKEN: "${GRAFANA_TOKEN}" } },
          figma: { ...node("small.mjs"), disabled: true },
        },
      },
      null,
      2,
    )}\n`,
  );
  // What other apps know.
  write(
    "home/.cursor/mcp.json",
    JSON.stringify({
      mcpServers: {
        tides: {
          command: process.execPath,
          args: [fixture("small.mjs"), "--tides of the bay"],
          env: { TIDES_KEY: "${env:TIDES_KEY}" },
        },
        library: { command: "npx", args: ["-y", "another library"] },
        charts: { url: "https://charts.example.com/mcp", headers: { Authorization: "Bearer abc" } },
      },
    }),
  );
  write("home/.codex/config.toml", '[mcp_servers.depth]\ncommand = "uvx"\nargs = ["depth server"]\n');
  write("home/.gemini/settings.json", "{ broken");
  return { world, at, define, small: fixture("small.mjs") };
}
