import { expect, test } from "vitest";
import type { Problem } from "./fields.ts";
import { parseSettings } from "./settings.ts";
import type { Settings } from "./types.ts";

const read = (raw: unknown): { settings: Settings; problems: Problem[] } => {
  const problems: Problem[] = [];
  const settings = parseSettings(raw, "/ws", "/home/u", (problem) => problems.push(problem));
  return { settings, problems };
};

test("nothing written is all defaults", () => {
  expect(read(undefined)).toEqual({
    problems: [],
    settings: {
      model: null,
      providers: {},
      policy: { approval: "on_request", sandbox: "workspace_write", writableRoots: [], networkAccess: false },
      trustedWorkspaces: [],
      skills: {
        dirs: [],
        strict: false,
        catalogDescriptionMaxLength: 500,
        placement: "reminder",
        resourceListing: "files",
        collectCacheMaxEntries: 128,
      },
      switches: {},
      workspaceSwitches: {},
      remembered: {},
      appearance: { theme: "system", locale: "system" },
      market: { targets: {} },
      recentFolders: [],
    },
  });
});
test("every key is read", () => {
  const { settings, problems } = read({
    model: "local/m",
    models: {
      providers: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", models: ["m"] } },
    },
    policy: {
      approval: "auto",
      sandbox: "full_access",
      writable_roots: ["~/out", "../b"],
      network_access: true,
    },
    trusted_workspaces: ["/ws"],
    switches: { "mcp:user/a": false },
    workspace_switches: { "/ws": { "skill:project-agents/x": false } },
    remembered: { "/ws": ["run_shell:make"] },
    skills: { dirs: ["~/skills"], strict: true, placement: "tool", resourceListing: "none", dshHome: "/dsh" },
    appearance: { theme: "dark", locale: "zh" },
    market: { targets: { skill: "~/.kairox/skills" } },
    recent_folders: ["/ws"],
    keys_of: "others",
  });
  expect(problems).toEqual([]);
  expect(settings).toMatchObject({
    model: "local/m",
    providers: { local: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", models: ["m"] } },
    policy: {
      approval: "on_request",
      sandbox: "full_access",
      writableRoots: ["/home/u/out", "/b"],
      networkAccess: true,
    },
    workspaceSwitches: { "/ws": { "skill:project-agents/x": false } },
    remembered: { "/ws": ["run_shell:make"] },
    skills: {
      dirs: ["/home/u/skills"],
      strict: true,
      placement: "tool",
      resourceListing: "none",
      dshHome: "/dsh",
    },
    appearance: { theme: "dark", locale: "zh" },
    market: { targets: { skill: "/home/u/.kairox/skills" } },
  });
});
test("a key of the wrong kind is reported with its place and costs no other key", () => {
  const { settings, problems } = read({
    model: 3,
    policy: { approval: "sometimes", sandbox: "read_only", writable_roots: "x", network_access: "yes" },
    switches: { "mcp:user/a": "off", "mcp:user/b": false },
    models: { providers: { bad: { baseUrl: "file:///etc" }, worse: 1, good: { baseUrl: "https://x.test" } } },
    skills: { catalogDescriptionMaxLength: 2 },
    trusted_workspaces: ["/ws", 4],
  });
  expect(new Set(problems.map(({ pointer }) => pointer.join(".")))).toEqual(
    new Set([
      "model",
      "models.providers.bad.baseUrl",
      "models.providers.worse",
      "policy.approval",
      "policy.writable_roots",
      "policy.network_access",
      "trusted_workspaces",
      "skills.catalogDescriptionMaxLength",
      "switches.mcp:user/a",
    ]),
  );
  expect(settings.policy).toEqual({
    approval: "on_request",
    sandbox: "read_only",
    writableRoots: [],
    networkAccess: false,
  });
  expect(settings.switches).toEqual({ "mcp:user/b": false });
  expect(Object.keys(settings.providers)).toEqual(["good"]);
  expect(settings.trustedWorkspaces).toEqual([]);
  expect(problems.find(({ pointer }) => pointer.includes("approval"))).toMatchObject({
    message: "policy.approval must be one of never, on_request, always",
  });
});
test("a file that is no object is one problem", () => {
  expect(read([]).problems).toMatchObject([{ message: "the file is no object" }]);
});
