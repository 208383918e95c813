import fs from "node:fs";
import type { AppPaths } from "../config/types.ts";
import { keyFolders } from "../config/user-folders.ts";
import { realPath } from "../kit/files.ts";

export const existing = (folders: readonly string[]): string[] =>
  folders.filter((folder) => fs.existsSync(folder));

/** What is empty for a confined process and exists: keys and the app's own files. */
export const hiddenPlaces = (paths: AppPaths): string[] =>
  existing([...keyFolders(paths), paths.config, paths.data]);

/** What runs on the host keeps its state there; `/var/run` is mostly a link to `/run`. */
export const runtimeFolders = (): string[] =>
  existing([...new Set(["/run", "/var/run"].map((folder) => realPath(folder)))]);

/** The resolver's file behind /etc/resolv.conf, which often lies in /run. */
export function resolverFile(): { resolver?: string } {
  const file = realPath("/etc/resolv.conf");
  return fs.existsSync(file) ? { resolver: file } : {};
}

/**
 * What leads to sockets and agents of the host, and to temporary folders that are closed: a confined process does not
 * hear of them, so that programs take their own way at once instead of failing on a socket that is not there.
 */
const withheld =
  /^(SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GIT_ASKPASS|GPG_AGENT_INFO|GPG_TTY|DBUS_(SESSION|SYSTEM)_BUS_ADDRESS|DOCKER_HOST|DOCKER_CONTEXT|CONTAINER_HOST|BUILDKIT_HOST|LIBVIRT_DEFAULT_URI|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|WAYLAND_SOCKET|XAUTHORITY|SESSION_MANAGER|ICEAUTHORITY|PULSE_SERVER|PIPEWIRE_REMOTE|GNOME_KEYRING_CONTROL|KDE_SESSION_UID|I3SOCK|SWAYSOCK|HYPRLAND_INSTANCE_SIGNATURE|TMUX|TMUX_PANE|STY|KITTY_LISTEN_ON|WEZTERM_UNIX_SOCKET|NVIM|NVIM_LISTEN_ADDRESS|VSCODE_.*|CURSOR_.*|ZELLIJ.*|LISTEN_(FDS|PID|FDNAMES)|NOTIFY_SOCKET|INVOCATION_ID|JOURNAL_STREAM|TMP|TEMP|TEMPDIR)$/;

/** The environment of a confined process without what leads out of it. */
export const confinedEnvironment = (env: Readonly<NodeJS.ProcessEnv>): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.test(name)));
