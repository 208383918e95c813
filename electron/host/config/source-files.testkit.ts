/**
 * Every file of spec 2's table below the top of a test's world, where `project` is the project root and `project/apps/web`
 * the workspace.
 */

/** In the order in which a name is looked up. */
export const mcpFiles = ["project/apps/web/.agent/mcp.json", "project/apps/web/.mcp.json"];
export const workspaceToml = [
  "project/apps/web/.agent/nacre.toml",
  ...["project/apps/web", "project/apps", "project"].flatMap((folder) => [
    `${folder}/.kairox/config.local.toml`,
    `${folder}/.kairox/config.toml`,
    `${folder}/kairox.toml`,
  ]),
];
export const userMcp = ["config/mcp.json", "cst/mcp.json"];
export const userToml = ["config/nacre.toml", "home/.kairox/config.toml"];
export const servers = [...mcpFiles, ...workspaceToml, ...userMcp, ...userToml];
/** In the order in which rules join. */
export const rules = [
  "config/settings.json",
  "home/.config/dropstone/dropstone.json",
  "project/dropstone.json",
  "project/apps/dropstone.json",
  "project/apps/web/dropstone.json",
];
export const agents = [
  "config/AGENTS.md",
  "project/AGENTS.md",
  "project/apps/AGENTS.md",
  "project/apps/web/AGENTS.md",
];
export const isToml = (file: string): boolean => file.endsWith(".toml");
export const declaring = (file: string, name: string): string =>
  isToml(file)
    ? `[mcp_servers.${name}]\ncommand = "${file}"\n`
    : JSON.stringify({ mcpServers: { [name]: { command: file } } });
