import { expect, test } from "vitest";
import type { Guarded } from "./guarded.ts";
import { seatbeltProfile } from "./seatbelt.ts";

const none: Guarded = {
  root: "",
  readOnly: [],
  emptyFolders: [],
  anchors: [],
  gitFolders: [],
  names: new Map(),
  links: new Map(),
  closed: new Set(),
  unseen: new Set(),
};
const profile = (network: boolean): string =>
  seatbeltProfile({
    confinement: {
      workspace: '/w "s"',
      writableRoots: ["/data/root"],
      network,
      tmp: "/data/tmp",
      ownFolders: [{ at: "/data/servers/one" }],
    },
    guarded: [
      {
        ...none,
        root: '/w "s"',
        readOnly: ["/w/.agent"],
        emptyFolders: ["/w/.git/hooks"],
        anchors: ["/w/.git"],
        gitFolders: ["/repo/.git"],
      },
      { ...none, root: "/data/root" },
    ],
    hidden: ["/home/u/.ssh", "/data"],
    readable: ["/config/plugins/p"],
  });
const lines = (network: boolean): string[] => profile(network).split("\n");

test("writes are denied but for the roots; what is protected and hidden comes after and so decides", () => {
  expect(lines(false)).toEqual([
    "(version 1)",
    "(allow default)",
    "(deny file-write*)",
    '(allow file-write* (subpath "/w \\"s\\"") (subpath "/repo/.git") (subpath "/data/root"))',
    expect.stringContaining('(literal "/dev/null")'),
    '(deny file-read* file-write* (subpath "/home/u/.ssh") (subpath "/data"))',
    '(allow file-read* file-write* (subpath "/data/root") (subpath "/data/tmp") (subpath "/data/servers/one"))',
    '(allow file-read* (subpath "/config/plugins/p"))',
    expect.stringContaining('(require-all (subpath "/w \\"s\\"") (regex #"^/w .s./(.*/)?('),
    expect.stringContaining('(require-all (subpath "/data/root") (regex #"^/data/root/(.*/)?('),
    '(deny file-write* (subpath "/w/.agent") (subpath "/w/.git/hooks"))',
    '(deny file-write-unlink (literal "/w/.git") (literal "/w \\"s\\"") (literal "/repo/.git") (literal "/data/root"))',
    '(allow file-write* (subpath "/data/tmp") (subpath "/data/servers/one"))',
    "(deny network*)",
    '(allow network-bind (local unix-socket (subpath "/data/tmp")))',
    '(allow network-outbound (remote unix-socket (subpath "/data/tmp")))',
  ]);
});
test("with the network only the host's sockets are out of reach, wherever they lie, but the resolver's", () => {
  expect(lines(true).slice(-4)).toEqual([
    "(deny network-outbound (remote unix-socket))",
    '(allow network-bind (local unix-socket (subpath "/data/tmp")))',
    '(allow network-outbound (remote unix-socket (subpath "/data/tmp")))',
    '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  ]);
  expect(profile(true)).not.toContain("(deny network*)");
});

/** The two patterns of the rule for a root, as this language has them. */
const [closed = /$^/, open = /$^/] = [...(lines(false)[9] ?? "").matchAll(/regex #"([^"]*)"/g)].map(
  ([, pattern = ""]) => new RegExp(pattern),
);
const isClosed = (file: string): boolean => closed.test(file) && !open.test(file);
test.each([
  [".agent", true],
  [".Agent/mcp.json", true],
  ["sub/.claude/settings.json", true],
  ["dropstone.json", true],
  ["deep/er/kairox.toml", true],
  [".git/hooks/pre-commit", true],
  [".GIT/Hooks/pre-commit", true],
  ["sub/.git/config", true],
  [".git/commondir", true],
  [".agent/node_modules/evil", true],
  [".git/index", false],
  [".git/objects/ab/cd", false],
  [".gitignore", false],
  ["xagent/file", false],
  ["my-dropstone.json", false],
  ["node_modules/a/.claude/x", false],
  ["packages/a/node_modules/b/.mcp.json", false],
])("a protected name is closed before it exists, at any depth and in any case: %s", (file, expected) => {
  expect(isClosed(`/data/root/${file}`)).toBe(expected);
});
test("a root below a protected name is not closed by it", () => {
  expect(isClosed("/data/.claude/worktrees/x/file")).toBe(false);
  const layout = {
    confinement: { workspace: "/u/.claude/w", writableRoots: [], network: false, tmp: "/t" },
    guarded: [{ ...none, root: "/u/.claude/w" }],
    hidden: [],
    readable: [],
  };
  const pattern = /regex #"([^"]*)"/.exec(seatbeltProfile(layout))?.[1] ?? "";
  expect(new RegExp(pattern).test("/u/.claude/w/file")).toBe(false);
  expect(new RegExp(pattern).test("/u/.claude/w/.claude/file")).toBe(true);
});
