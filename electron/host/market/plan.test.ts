import path from "node:path";
import { expect, test } from "vitest";
import { parseCatalog } from "./catalog.ts";
import { placesOf } from "./places.ts";
import { planInstall, serverValue } from "./plan.ts";
import type { CatalogEntry } from "./types.ts";

const root = path.resolve("/x");
const places = placesOf({
  paths: { home: path.join(root, "home"), config: path.join(root, "config"), data: path.join(root, "data") },
  workspace: path.join(root, "ws"),
  targets: {},
});
const entryOf = (raw: object): CatalogEntry => {
  const { entries, diagnostics } = parseCatalog(
    { schema_version: "1", entries: [{ id: "x", display_name: "X", ...raw }] },
    { id: "s", file: "f", trust: "verified" },
  );
  if (!entries[0]) throw new Error(diagnostics[0]?.message);
  return entries[0];
};
const stdio = { transport: "stdio", command: "npx", args: ["-y", "x@1", "${ROOT}", "${HOME}"] };
const asked = [{ key: "ROOT" }, { key: "TOKEN", secret: true }];

test("a server's plan: its file, its whole command, what it asks", () => {
  const plan = planInstall(entryOf({ install: stdio, default_env: asked }), "user", places, [], []);
  expect(plan).toMatchObject({
    id: "x",
    kind: "mcp",
    name: "x",
    scope: "user",
    commands: [["npx", "-y", "x@1", "${ROOT}", "${HOME}"]],
    permissions: ["shell"],
    variables: [
      { key: "ROOT", required: false, secret: false },
      { key: "TOKEN", required: false, secret: true },
    ],
  });
  expect(plan.writes.map((write) => write.path)).toEqual([path.join(root, "config/mcp.json")]);
});
test("a skill's plan lists every file; a remote server's names its host", () => {
  const skill = entryOf({ kind: "skill", install: { path: "skills/x" } });
  const files = [
    { path: "SKILL.md", text: "四" },
    { path: "a/b.txt", text: "12" },
  ];
  expect(planInstall(skill, "workspace", places, files, [])).toMatchObject({
    writes: [
      { path: path.join(root, "ws/.agent/skills/x/SKILL.md"), bytes: 3 },
      { path: path.join(root, "ws/.agent/skills/x/a/b.txt"), bytes: 2 },
    ],
    commands: [],
    permissions: [],
  });
  const remote = entryOf({ install: { transport: "sse", url: "https://${REGION}.example.com/sse?x" } });
  expect(planInstall(remote, "user", places, [], []).permissions).toEqual(["net:${REGION}.example.com"]);
});
test("the digest changes with whatever is written or run, not with what was found here", () => {
  const base = { install: stdio, default_env: asked };
  const digest = (raw: object, scope: "user" | "workspace" = "user"): string =>
    planInstall(entryOf({ ...base, ...raw }), scope, places, [], []).digest;
  const found = [{ kind: "node", ok: true, found: "20.0.0" }];
  expect(planInstall(entryOf(base), "user", places, [], found).digest).toBe(digest({}));
  const others = [
    digest({}, "workspace"),
    digest({ id: "y" }),
    digest({ install: { ...stdio, args: ["-y", "x@2"] } }),
    digest({ install: { ...stdio, args: ["-y x@1", "${ROOT}", "${HOME}"] } }),
    digest({ install: { ...stdio, env: { A: "b" } } }),
    digest({ install: { ...stdio, cwd: "/" } }),
    digest({ default_env: [] }),
  ];
  expect(new Set([digest({}), ...others]).size).toBe(others.length + 1);
  const skill = entryOf({ kind: "skill", install: { path: "x" } });
  const withText = (text: string): string =>
    planInstall(skill, "user", places, [{ path: "SKILL.md", text }], []).digest;
  expect(withText("a")).not.toBe(withText("b"));
});
test("values fill the places that name them, the others become environment", () => {
  const { install } = entryOf({ install: { ...stdio, env: { MODE: "${ROOT}!" } } });
  if (install.kind === "folder") throw new Error("a server");
  expect(serverValue(install, ["ROOT", "TOKEN"], { ROOT: "/a b; rm -rf /", TOKEN: "${T}" })).toEqual({
    command: "npx",
    args: ["-y", "x@1", "/a b; rm -rf /", "${HOME}"],
    env: { MODE: "/a b; rm -rf /!", TOKEN: "${T}" },
  });
});
