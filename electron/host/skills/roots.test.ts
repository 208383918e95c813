import path from "node:path";
import { expect, test } from "vitest";
import { rootSources, tableRoots, type SkillRoot, type Where } from "./roots.ts";

const where = (over: Partial<Where> = {}): Where => ({
  cwd: "/repo/apps/web",
  workspace: "/repo/apps/web",
  projectRoot: "/repo",
  paths: { home: "/home/u", config: "/c/nacre", data: "/d", cache: "/h", cst: "/c/cst-agent" },
  settings: { dirs: ["/x/one", "/x/two"] },
  env: {},
  bundled: "/app/skills",
  ...over,
});
const pathsOf = (source: string, over?: Partial<Where>): string[] =>
  tableRoots(where(over))
    .filter((root) => root.source === source)
    .map((root) => root.path);
const rulesOf = ({ flatFiles, inferred, strict }: SkillRoot): string =>
  [flatFiles && "flat", inferred && "inferred", strict && "strict"].filter(Boolean).join(" ");

test("the table of spec 3, row by row: rank, source, scope, folder, rules", () => {
  const rows = tableRoots(where()).map((root) =>
    [root.rank, root.owner, root.scope, root.path, rulesOf(root)].join(" ").trim(),
  );
  expect(rows).toEqual([
    "90 project-nacre workspace /repo/apps/web/.agent/skills inferred",
    "100 project-dsh workspace /repo/.dsh/skills flat",
    "200 project-agents workspace /repo/apps/web/.agents/skills flat",
    "200 project-agents~1 workspace /repo/apps/.agents/skills flat",
    "200 project-agents~2 workspace /repo/.agents/skills flat",
    "210 project-claude workspace /repo/apps/web/.claude/skills inferred",
    "210 project-claude~1 workspace /repo/apps/.claude/skills inferred",
    "210 project-claude~2 workspace /repo/.claude/skills inferred",
    "220 project-dropstone workspace /repo/apps/web/.dropstone/skills strict",
    "220 project-dropstone~1 workspace /repo/apps/.dropstone/skills strict",
    "220 project-dropstone~2 workspace /repo/.dropstone/skills strict",
    "230 project-kairox workspace /repo/apps/web/.kairox/skills",
    "300 custom user /x/one flat",
    "300 custom~1 user /x/two flat",
    "390 user-nacre user /c/nacre/skills inferred",
    "395 user-cst-agent user /c/cst-agent/skills inferred",
    "400 user-dsh user /home/u/.dsh/skills flat",
    "500 user-agents user /home/u/.agents/skills flat",
    "510 user-claude user /home/u/.claude/skills inferred",
    "520 user-dropstone user /home/u/.config/dropstone/skills strict",
    "530 user-kairox user /home/u/.kairox/skills",
    "530 user-kairox~1 user /home/u/.config/kairox/skills",
    "600 bundled bundled /app/skills flat",
  ]);
});
test("every row has a switch, in the order of the table, what lies in memory or in plugins too", () => {
  expect(rootSources.map(({ rank, source }) => `${rank} ${source}`)).toEqual([
    "0 session",
    "90 project-nacre",
    "100 project-dsh",
    "200 project-agents",
    "210 project-claude",
    "220 project-dropstone",
    "230 project-kairox",
    "250 runtime",
    "300 custom",
    "390 user-nacre",
    "395 user-cst-agent",
    "400 user-dsh",
    "500 user-agents",
    "510 user-claude",
    "520 user-dropstone",
    "530 user-kairox",
    "600 bundled",
    "650 mcp",
    "700 plugin",
  ]);
});
test("a folder inside the workspace works with the workspace's own rows, one elsewhere with its own", () => {
  const inside = { workspace: "/repo", cwd: "/repo/apps" };
  expect(pathsOf("project-nacre", inside)).toEqual(["/repo/.agent/skills"]);
  expect(pathsOf("project-kairox", inside)).toEqual(["/repo/.kairox/skills"]);
  expect(pathsOf("project-agents", inside)).toEqual(["/repo/apps/.agents/skills", "/repo/.agents/skills"]);
  const elsewhere = { workspace: "/repo", cwd: "/other", projectRoot: "/other" };
  expect(pathsOf("project-nacre", elsewhere)).toEqual(["/other/.agent/skills"]);
});
test("other homes of DSH and Agents by settings", () => {
  const settings = { dirs: [], dshHome: "/srv/dsh", agentsHome: "/srv/agents" };
  expect(pathsOf("user-dsh", { settings })).toEqual(["/srv/dsh/skills"]);
  expect(pathsOf("user-agents", { settings })).toEqual(["/srv/agents/skills"]);
});
test("an absolute XDG_CONFIG_HOME counts; an empty or a relative one is ignored", () => {
  const dropstone = (value: string): string[] =>
    pathsOf("user-dropstone", { env: { XDG_CONFIG_HOME: value } });
  expect(dropstone("/tmp/cfg")).toEqual(["/tmp/cfg/dropstone/skills"]);
  expect(dropstone("")).toEqual(["/home/u/.config/dropstone/skills"]);
  expect(dropstone("cfg")).toEqual(["/home/u/.config/dropstone/skills"]);
  expect(pathsOf("user-kairox", { env: { XDG_CONFIG_HOME: "/tmp/cfg" } })).toEqual([
    "/home/u/.kairox/skills",
    "/tmp/cfg/kairox/skills",
  ]);
});
test("bundled skills: the app's own, then the setting, else the variable, with lasting numbers", () => {
  const bundled = (over: Partial<Where>): string[] =>
    tableRoots(where(over))
      .filter(({ source }) => source === "bundled")
      .map(({ owner, path: at }) => `${owner} ${at}`);
  const env = { DSH_BUNDLED_SKILL_DIR: path.resolve("/env") };
  const settings = { dirs: [], bundledDir: "/set" };
  expect(bundled({ env })).toEqual(["bundled /app/skills", `bundled~1 ${env.DSH_BUNDLED_SKILL_DIR}`]);
  expect(bundled({ env, settings })).toEqual(["bundled /app/skills", "bundled~1 /set"]);
  expect(bundled({ settings, bundled: undefined })).toEqual(["bundled~1 /set"]);
  expect(bundled({ env: { DSH_BUNDLED_SKILL_DIR: "relative" } })).toEqual(["bundled /app/skills"]);
});
