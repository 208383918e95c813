import { expect, test } from "vitest";
import { seatbeltProfile } from "./seatbelt.ts";

const profile = (network: boolean): string =>
  seatbeltProfile({
    confinement: { workspace: '/w "s"', writableRoots: ["/data/root"], network, tmp: "/data/tmp" },
    roots: ['/w "s"', "/data/root"],
    hidden: ["/home/u/.ssh", "/data"],
    readable: ["/config/plugins/p"],
    guarded: [{ readOnly: ["/w/.agent"], emptyFolders: ["/w/.git/hooks"], anchors: ["/w/.git"] }],
  });

test("writes are denied but for the roots; what is protected and hidden comes after and so decides", () => {
  expect(profile(false).split("\n")).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/w \\"s\\"") (subpath "/data/root") (subpath "/data/tmp"))',
    expect.stringContaining('(literal "/dev/null")'),
    '(deny file-read* file-write* (subpath "/home/u/.ssh") (subpath "/data"))',
    '(allow file-read* file-write* (subpath "/data/root") (subpath "/data/tmp"))',
    '(allow file-read* (subpath "/config/plugins/p"))',
    '(deny file-write* (subpath "/w/.agent") (subpath "/w/.git/hooks"))',
    '(deny file-write-unlink (literal "/w/.git"))',
    "(deny network*)",
  ]);
});
test("with the network only the host's sockets are out of reach", () => {
  expect(profile(true)).not.toContain("(deny network*)");
  expect(profile(true)).toContain('(deny network-outbound (subpath "/private/var/run")');
});
