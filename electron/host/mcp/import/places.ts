import path from "node:path";
import type { McpImportClient } from "../../../../shared/mcp.ts";

/** How a file writes its servers. */
type ImportFormat =
  | "mcpServers"
  | "claude-code"
  | "vscode"
  | "vscode-settings"
  | "codex"
  | "gemini"
  | "opencode";
/** A file in which a client keeps servers, whether it exists or not. */
export interface ImportPlace {
  readonly client: McpImportClient;
  readonly file: string;
  readonly format: ImportFormat;
  /** The folder for which it counts; absent: everywhere. */
  readonly project?: string;
}
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<NodeJS.ProcessEnv>;
  readonly workspace: string;
}
export const clientNames: Readonly<Record<McpImportClient, string>> = {
  "claude-desktop": "Claude Desktop",
  "claude-code": "Claude Code",
  cursor: "Cursor",
  vscode: "VS Code",
  codex: "Codex",
  gemini: "Gemini CLI",
  opencode: "opencode",
};
const editions = ["Code", "Code - Insiders", "VSCodium"];
/** Where the store edition of Claude Desktop sees its folder for application data. */
const storeFolder = ["Packages", "Claude_pzs8sxrjxfjjc", "LocalCache", "Roaming"];

/** Every place where a client of this machine may keep servers, those of the open folder last (as their own pages name them). */
export function importPlaces({ platform, home, env, workspace }: Machine): ImportPlace[] {
  const paths = platform === "win32" ? path.win32 : path.posix;
  const join = (...names: string[]): string => paths.join(...names);
  const config = env["XDG_CONFIG_HOME"] || join(home, ".config");
  const appData =
    platform === "win32"
      ? env["APPDATA"] || join(home, "AppData", "Roaming")
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : config;
  const desktop = [join(appData, "Claude")];
  if (platform === "win32")
    desktop.push(join(env["LOCALAPPDATA"] || join(home, "AppData", "Local"), ...storeFolder, "Claude"));
  const codex = env["CODEX_HOME"] || join(home, ".codex");
  const here = (client: McpImportClient, format: ImportFormat, ...names: string[]): ImportPlace => ({
    client,
    format,
    file: join(workspace, ...names),
    project: workspace,
  });
  return [
    ...desktop.map((folder): ImportPlace => ({
      client: "claude-desktop",
      format: "mcpServers",
      file: join(folder, "claude_desktop_config.json"),
    })),
    {
      client: "claude-code",
      format: "claude-code",
      file: join(env["CLAUDE_CONFIG_DIR"] || home, ".claude.json"),
    },
    { client: "cursor", format: "mcpServers", file: join(home, ".cursor", "mcp.json") },
    ...editions.flatMap((edition): ImportPlace[] => {
      const user = join(appData, edition, "User");
      return [
        { client: "vscode", format: "vscode", file: join(user, "mcp.json") },
        { client: "vscode", format: "vscode-settings", file: join(user, "settings.json") },
      ];
    }),
    { client: "codex", format: "codex", file: join(codex, "config.toml") },
    { client: "gemini", format: "gemini", file: join(home, ".gemini", "settings.json") },
    ...["opencode.json", "opencode.jsonc"].map((name): ImportPlace => ({
      client: "opencode",
      format: "opencode",
      file: join(config, "opencode", name),
    })),
    here("claude-code", "mcpServers", ".mcp.json"),
    here("cursor", "mcpServers", ".cursor", "mcp.json"),
    here("vscode", "vscode", ".vscode", "mcp.json"),
    here("codex", "codex", ".codex", "config.toml"),
    here("gemini", "gemini", ".gemini", "settings.json"),
    here("opencode", "opencode", "opencode.json"),
    here("opencode", "opencode", "opencode.jsonc"),
  ];
}
