/** What a plugin's strings may name: its own folder, by the names of the systems that wrote it (spec 5). */
export const pluginVariables = (folder: string): Readonly<Record<string, string>> => ({
  CLAUDE_PLUGIN_ROOT: folder,
  PLUGIN_ROOT: folder,
  CST_PLUGIN_DIR: folder,
  NACRE_PLUGIN_DIR: folder,
});

/** Puts the plugin's own variables in; any other `${NAME}` stays as it is written. */
export const withPluginVariables = (text: string, folder: string): string => {
  const variables = pluginVariables(folder);
  return text.replaceAll(/\$\{([A-Z_]+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
};
