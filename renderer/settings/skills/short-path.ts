/** A path as it is told apart at a glance: from the workspace on where it lies in it, else whole. Paths of any system. */
export function shortPath(path: string, workspace: string): string {
  const rest = workspace !== "" && path.startsWith(workspace) ? path.slice(workspace.length) : "";
  return /^[/\\]./.test(rest) ? rest.slice(1) : path;
}
