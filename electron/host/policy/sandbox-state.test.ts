import { expect, test } from "vitest";
import { brokenSandbox, missingSandbox, readSurroundings } from "./sandbox-state.ts";

test.each([
  ["ID=debian", "sudo apt install bubblewrap"],
  ['ID=ubuntu\nID_LIKE="debian"', "sudo apt install bubblewrap"],
  ["ID=somemint\nID_LIKE='ubuntu debian'", "sudo apt install bubblewrap"],
  ['ID="fedora"', "sudo dnf install bubblewrap"],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"', "sudo dnf install bubblewrap"],
  ["ID=arch", "sudo pacman -S bubblewrap"],
  ["ID=alpine", "sudo apk add bubblewrap"],
  ["ID=opensuse-tumbleweed", "sudo zypper install bubblewrap"],
  ["ID=never-heard-of", "install the package bubblewrap"],
  [undefined, "install the package bubblewrap"],
])("a missing program is named with the command that installs it: %j", (osRelease, command) => {
  const { reason, fix } = missingSandbox("linux", osRelease);
  expect(reason).toBe("bubblewrap is not installed");
  expect(fix).toBe(`${command}, then start Nacre again`);
});
test("where there is no sandbox at all, nothing is offered to be done", () => {
  expect(missingSandbox("win32")).toEqual({ reason: "there is no sandbox for win32" });
});
test.each([
  [{ "kernel/unprivileged_userns_clone": "0" }, false, /kernel\.unprivileged_userns_clone=1/],
  [{ "user/max_user_namespaces": "0" }, false, /user\.max_user_namespaces/],
  [{ "kernel/apparmor_restrict_unprivileged_userns": "1" }, false, /AppArmor profile/],
  [{ "kernel/apparmor_restrict_unprivileged_userns": "0" }, true, /in this container/],
  [{}, false, /in a terminal to see what is missing/],
])("a program that fails says what closes it: %j, container %s", (kernel, container, expected) => {
  const { reason, fix } = brokenSandbox("bwrap: No permissions to create new namespace\n", {
    kernel,
    container,
  });
  expect(reason).toBe("bubblewrap does not work here: bwrap: No permissions to create new namespace");
  expect(fix).toMatch(expected);
});
test("a container is known by its variable", () => {
  expect(readSurroundings({ container: "podman" }).container).toBe(true);
});
