import { expect, test } from "vitest";
import { shortPath } from "./short-path.ts";

test.each([
  ["/home/me/ws/.agent/skills/a/SKILL.md", "/home/me/ws", ".agent/skills/a/SKILL.md"],
  ["C:\\ws\\.agent\\skills\\a\\SKILL.md", "C:\\ws", ".agent\\skills\\a\\SKILL.md"],
  ["/home/me/ws-old/a", "/home/me/ws", "/home/me/ws-old/a"],
  ["/home/me/ws/", "/home/me/ws", "/home/me/ws/"],
  ["/elsewhere/a", "/home/me/ws", "/elsewhere/a"],
  ["/a", "", "/a"],
])("%s in %s: %s", (path, workspace, short) => expect(shortPath(path, workspace)).toBe(short));
