/** Other systems' names for the built-in tools (spec 4). Case counts: `Agent` is a tool, `agent` a word. */
const aliases: Readonly<Record<string, readonly string[]>> = {
  run_shell: ["shell", "shell.exec", "Bash"],
  shell_output: ["BashOutput"],
  shell_stop: ["KillShell", "KillBash"],
  read_file: ["fs.read", "Read"],
  list_dir: ["fs.list", "LS"],
  write_file: ["fs.write", "Write"],
  edit_file: ["patch.apply", "Edit", "MultiEdit"],
  grep: ["search.ripgrep", "Grep"],
  glob: ["Glob"],
  fetch_url: ["WebFetch"],
  task: ["Task", "Agent"],
  skill: ["Skill"],
  ask_user: ["AskUserQuestion"],
};
const canonical = new Map(
  Object.entries(aliases).flatMap(([name, others]) => others.map((other) => [other, name])),
);

/** `Bash` → `run_shell`; a name that is no alias stays as it is, known or not. */
export const canonicalToolName = (name: string): string => canonical.get(name) ?? name;

const known = new Set([...Object.keys(aliases), ...canonical.keys()].map((name) => name.toLowerCase()));
/** Whether a name, in any case, says a built-in tool: rules compare tool names without case. */
export const isBuiltinName = (name: string): boolean => known.has(name.toLowerCase());

/** The other systems' names of a tool, for rules and hook matchers that use them. */
export const aliasesOf = (name: string): readonly string[] =>
  (Object.hasOwn(aliases, name) && aliases[name]) || [];
