/** What a child's environment is made of. */
export interface EnvironmentOptions {
  /** Comes on top, NACRE_* included. */
  readonly extra?: Readonly<Record<string, string>>;
  /** Further names to leave out: the variables that model settings name. */
  readonly drop?: readonly string[];
}
/**
 * Nacre's own variables, what steers Node and Electron, and what npm hands to the scripts it runs. What the
 * user set for the network (npm's registry, proxies, NODE_EXTRA_CA_CERTS) stays.
 */
const ours =
  /^(NACRE_.*|ELECTRON_.*|NODE_OPTIONS|NODE_CHANNEL_.*|NODE_UNIQUE_ID|NODE_V8_COVERAGE|NODE_COMPILE_CACHE|NODE_INSPECT_RESUME_ON_START|INIT_CWD|npm_(config|package|lifecycle)_.*|npm_(command|execpath|node_execpath))$/i;
const network =
  /^npm_config_(registry|proxy|https_proxy|https-proxy|noproxy|ca|cafile|strict_ssl|strict-ssl)$/i;

/**
 * For programs that lie in a folder whose content was approved: what Python would write beside its sources is content
 * too, and the folder would count as changed after the first run.
 */
export const leavesNoTraces: Readonly<Record<string, string>> = { PYTHONDONTWRITEBYTECODE: "1" };

/**
 * The environment of a child: the user's own, without Nacre's keys and without variables that steer Node or
 * Electron (spec 4, Processes). Takes nothing from `process.env` by itself and changes nothing.
 */
export function childEnvironment(
  base: Readonly<NodeJS.ProcessEnv>,
  options: EnvironmentOptions = {},
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  // Windows knows a variable by its name in any case.
  const fold = (name: string): string => (platform === "win32" ? name.toUpperCase() : name);
  const dropped = new Set((options.drop ?? []).map(fold));
  const extra = Object.entries(options.extra ?? {});
  const replaced = new Set(extra.map(([name]) => fold(name)));
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(base)) {
    if (value === undefined || dropped.has(fold(name)) || replaced.has(fold(name))) continue;
    if (ours.test(name) && !network.test(name)) continue;
    environment[name] = value;
  }
  for (const [name, value] of extra) environment[name] = value;
  return environment;
}
