import path from "node:path";
import type { AppPaths } from "./types.ts";

/**
 * Where programs keep what their user configured: `$XDG_CONFIG_HOME`, else `~/.config`; on Windows `%APPDATA%`. An empty or
 * relative variable is ignored (XDG Base Directory Specification, Environment variables).
 */
export function configHome(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): string {
  const rules = platform === "win32" ? path.win32 : path.posix;
  const value = env[platform === "win32" ? "APPDATA" : "XDG_CONFIG_HOME"];
  if (value && rules.isAbsolute(value)) return value;
  return platform === "win32" ? rules.join(home, "AppData", "Roaming") : rules.join(home, ".config");
}

/**
 * Where the app's own files lie (spec 2). `NACRE_CONFIG_DIR`, `NACRE_DATA_DIR` and `NACRE_CACHE_DIR` come first, then
 * the XDG homes, then the defaults below `home`; on Windows `%APPDATA%` and `%LOCALAPPDATA%`.
 * An empty or relative XDG variable is ignored (XDG Base Directory Specification, Environment variables).
 */
export function appPaths(env: NodeJS.ProcessEnv, home: string, platform: NodeJS.Platform): AppPaths {
  const rules = platform === "win32" ? path.win32 : path.posix;
  const own = (name: string): string | undefined => (env[name] ? rules.resolve(env[name]) : undefined);
  const base = (name: string, ...fallback: string[]): string => {
    const value = env[name];
    return value && rules.isAbsolute(value) ? value : rules.join(home, ...fallback);
  };
  if (platform === "win32") {
    const roaming = configHome(env, home, platform);
    const local = base("LOCALAPPDATA", "AppData", "Local");
    return {
      home,
      config: own("NACRE_CONFIG_DIR") ?? rules.join(roaming, "nacre"),
      data: own("NACRE_DATA_DIR") ?? rules.join(local, "nacre", "data"),
      cache: own("NACRE_CACHE_DIR") ?? rules.join(local, "nacre", "cache"),
      cst: rules.join(roaming, "cst-agent"),
    };
  }
  const config = configHome(env, home, platform);
  return {
    home,
    config: own("NACRE_CONFIG_DIR") ?? rules.join(config, "nacre"),
    data: own("NACRE_DATA_DIR") ?? rules.join(base("XDG_DATA_HOME", ".local", "share"), "nacre"),
    cache: own("NACRE_CACHE_DIR") ?? rules.join(base("XDG_CACHE_HOME", ".cache"), "nacre"),
    cst: rules.join(config, "cst-agent"),
  };
}
