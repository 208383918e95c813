import fs from "node:fs";
import { textOrNone } from "../kit/files.ts";

/** Why nothing can run confined, and what a person does about it. */
export interface SandboxFault {
  readonly reason: string;
  readonly fix?: string;
  /** The part of `fix` that is typed in a terminal. */
  readonly command?: string;
}
/** What the machine says of itself where confinement does not work. */
export interface SandboxSurroundings {
  /** The text of /etc/os-release. */
  readonly osRelease?: string;
  /** Kernel settings by their path below /proc/sys, where they exist. */
  readonly kernel: Readonly<Record<string, string>>;
  /** Inside a container: Docker, Podman, LXC and the like. */
  readonly container: boolean;
}

const installs: readonly (readonly [ids: RegExp, command: string])[] = [
  [/^(debian|ubuntu|linuxmint|pop|raspbian|kali|elementary)$/, "sudo apt install bubblewrap"],
  [/^(fedora|rhel|centos|rocky|almalinux|amzn|ol)$/, "sudo dnf install bubblewrap"],
  [/^(arch|manjaro|endeavouros)$/, "sudo pacman -S bubblewrap"],
  [/^alpine$/, "sudo apk add bubblewrap"],
  [/^(opensuse.*|sles|suse)$/, "sudo zypper install bubblewrap"],
  [/^void$/, "sudo xbps-install bubblewrap"],
  [/^gentoo$/, "sudo emerge sys-apps/bubblewrap"],
  [/^nixos$/, "add pkgs.bubblewrap to environment.systemPackages"],
];

/** The program is not there. `ID` of os-release decides, then the families in `ID_LIKE`. */
export function missingSandbox(platform: NodeJS.Platform, osRelease?: string): SandboxFault {
  if (platform === "darwin") return { reason: "/usr/bin/sandbox-exec, which is part of macOS, is missing" };
  if (platform !== "linux") return { reason: `there is no sandbox for ${platform}` };
  const value = (key: string): string =>
    new RegExp(`^${key}=(.*)$`, "m")
      .exec(osRelease ?? "")?.[1]
      ?.trim()
      .replace(/^(["'])(.*)\1$/, "$2") ?? "";
  const ids = [value("ID"), ...value("ID_LIKE").split(" ")].map((id) => id.toLowerCase());
  const command = ids.flatMap((id) => installs.find(([names]) => names.test(id))?.[1] ?? [])[0];
  return {
    reason: "bubblewrap is not installed",
    fix:
      command === undefined
        ? "install the package bubblewrap, then start Nacre again"
        : `${command}, then start Nacre again`,
    ...typed(command),
  };
}

/** There is no filter of system calls for this machine: without one a confined process reaches what runs outside. */
export const unfilteredSandbox = (architecture: string): SandboxFault => ({
  reason: `on ${architecture} nothing keeps confined commands from the sockets of other programs; that is known for x64 and arm64 alone`,
});

const typed = (command: string | undefined): { command?: string } =>
  command?.startsWith("sudo ") ? { command } : {};

/** The settings that `brokenSandbox` looks at. */
const restrictions = {
  apparmor: "kernel/apparmor_restrict_unprivileged_userns",
  clone: "kernel/unprivileged_userns_clone",
  most: "user/max_user_namespaces",
} as const;

/** The program is there and fails with `output`: mostly because user namespaces are closed to it. */
export function brokenSandbox(output: string, { kernel, container }: SandboxSurroundings): SandboxFault {
  const said = output.trim();
  const reason = `bubblewrap does not work here: ${said === "" ? "it said nothing" : said}`;
  const again = "then start Nacre again";
  const sysctl = (setting: string): SandboxFault => {
    const command = `sudo sysctl -w ${setting}`;
    return { reason, fix: `${command}, ${again}`, command };
  };
  if (kernel[restrictions.clone] === "0") return sysctl("kernel.unprivileged_userns_clone=1");
  if (kernel[restrictions.most] === "0") return sysctl("user.max_user_namespaces=15000");
  // Ubuntu 24.04: only programs with a profile may make user namespaces.
  if (kernel[restrictions.apparmor] === "1")
    return {
      reason,
      fix: `give bubblewrap an AppArmor profile that allows user namespaces (a file /etc/apparmor.d/bwrap with "abi <abi/4.0>, profile bwrap /usr/bin/bwrap flags=(unconfined) { userns, }", then sudo systemctl reload apparmor), ${again}`,
    };
  if (container)
    return {
      reason,
      fix: `allow user namespaces in this container (Docker: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined), ${again}`,
    };
  return { reason, fix: `run "bwrap --ro-bind / / --unshare-pid true" in a terminal to see what is missing` };
}

/** Reads what `brokenSandbox` and `missingSandbox` need; what cannot be read is absent. */
export function readSurroundings(env: NodeJS.ProcessEnv): SandboxSurroundings {
  const osRelease = textOrNone("/etc/os-release") ?? textOrNone("/usr/lib/os-release");
  const kernel: Record<string, string> = {};
  for (const name of Object.values(restrictions)) {
    const value = textOrNone(`/proc/sys/${name}`);
    if (value !== undefined) kernel[name] = value.trim();
  }
  const container =
    env["container"] !== undefined ||
    ["/.dockerenv", "/run/.containerenv"].some((file) => fs.existsSync(file));
  return { ...(osRelease === undefined ? {} : { osRelease }), kernel, container };
}
