import { NacreError } from "../../shared/errors.ts";
import { externalLink } from "../../shared/link.ts";
import { childEnvironment } from "../host/kit/environment.ts";
import { handOver, type SpawnSpec } from "../host/kit/process.ts";

/**
 * The program that hands a link to the system; undefined where nobody would see a browser: on a server without a
 * display, over ssh, in CI. No shell reads the link.
 */
export function opener(
  link: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform,
): Pick<SpawnSpec, "command" | "args"> | undefined {
  if (env["CI"] || env["SSH_CONNECTION"]) return undefined;
  if (platform === "darwin") return { command: "open", args: [link] };
  if (platform === "win32") return { command: "rundll32.exe", args: ["url.dll,FileProtocolHandler", link] };
  return env["DISPLAY"] || env["WAYLAND_DISPLAY"] ? { command: "xdg-open", args: [link] } : undefined;
}

/**
 * Opens a web page or a mail window in the system's own program.
 * @returns false where no such program can be had
 * @throws NacreError `denied` for every scheme but https, http and mailto
 */
export async function openExternally(
  url: string,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): Promise<boolean> {
  const link = externalLink(url);
  if (link === undefined)
    throw new NacreError("denied", `${url} is not opened: only https, http and mailto links are`);
  const program = opener(link, env, platform);
  if (!program) return false;
  try {
    await handOver({ ...program, env: childEnvironment(env) });
    return true;
  } catch (error) {
    if (error instanceof NacreError && (error.code === "not_found" || error.code === "unavailable"))
      return false;
    throw error;
  }
}
