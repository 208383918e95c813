import { describe, expect, test } from "vitest";
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
      policy: {
        approval: "on_request",
        sandbox: "workspace_write",
        writableRoots: [],
        networkAccess: false,
        carefulAfterOutsideText: true,
      },
      sandbox: { pluginNetwork: true },
      trustedWorkspaces: [],
      skills: {
        dirs: [],
        strict: false,
        catalogDescriptionMaxLength: 500,
        placement: "reminder",
        resourceListing: "files",
        collectCacheMaxEntries: 128,
      },
      mcp: { deferAbove: 10 },
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
      careful_after_outside_text: "off",
    },
    sandbox: { pluginNetwork: "no" },
    permission: "ask",
    agent: {},
    trusted_workspaces: ["/ws"],
    switches: { "mcp:user/a": false },
    workspace_switches: { "/ws": { "skill:project-agents/x": false } },
    remembered: { "/ws": ["run_shell:make"] },
    skills: { dirs: ["~/skills"], strict: true, placement: "tool", resourceListing: "none", dshHome: "/dsh" },
    appearance: { theme: "dark", locale: "zh" },
    market: { targets: { skill: "~/.kairox/skills" } },
    mcp: { deferAbove: 25 },
    recent_folders: ["/ws"],
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
      carefulAfterOutsideText: false,
    },
    sandbox: { pluginNetwork: false },
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
    mcp: { deferAbove: 25 },
  });
});
test("a key of the wrong kind is reported with its place and costs no other key", () => {
  const { settings, problems } = read({
    model: 3,
    policy: { approval: "sometimes", sandbox: "read_only", writable_roots: "x", network_access: "yes" },
    switches: { "mcp:user/a": "off", "mcp:user/b": "perhaps" },
    models: { providers: { bad: { baseUrl: "file:///etc" }, worse: 1, good: { baseUrl: "https://x.test" } } },
    skills: { catalogDescriptionMaxLength: 2 },
    mcp: { deferAbove: 101 },
    trusted_workspaces: ["/ws", 4],
  });
  expect(new Set(problems.map(({ pointer }) => pointer.join(".")))).toEqual(
    new Set([
      "model",
      "models.providers.bad.baseUrl",
      "models.providers.worse",
      "mcp.deferAbove",
      "policy.approval",
      "policy.writable_roots",
      "trusted_workspaces",
      "skills.catalogDescriptionMaxLength",
      "switches.mcp:user/b",
    ]),
  );
  expect(settings.policy).toEqual({
    approval: "always",
    sandbox: "read_only",
    writableRoots: [],
    networkAccess: true,
    carefulAfterOutsideText: true,
  });
  expect(settings.switches).toEqual({ "mcp:user/a": false, "mcp:user/b": false });
  expect(Object.keys(settings.providers)).toEqual(["good"]);
  expect(settings.trustedWorkspaces).toEqual([]);
  expect(problems.find(({ pointer }) => pointer.includes("approval"))).toMatchObject({
    severity: "error",
    message: "policy.approval must be one of never, on_request, always; until then it counts as always",
  });
});
test("an empty folder is refused, and one that stands there twice is one", () => {
  const { settings, problems } = read({
    skills: { dirs: ["", "/a", "/a", "/b"], dshHome: " " },
    policy: { writable_roots: [""] },
  });
  expect(settings.skills.dirs).toEqual(["/a", "/b"]);
  expect(settings.skills).not.toHaveProperty("dshHome");
  expect(settings.policy.writableRoots).toEqual([]);
  expect(problems.map(({ pointer }) => pointer.join("."))).toEqual([
    "skills.dshHome",
    "policy.writable_roots.0",
    "skills.dirs.0",
  ]);
});
test("a file that is no object is one problem", () => {
  expect(read([]).problems).toMatchObject([{ message: "the file is no object" }]);
});

describe("what limits the agent, where it is mistyped", () => {
  test.each([
    ["policy", "sandbox", "full", { sandbox: "read_only" }],
    ["policy", "sandbox", null, { sandbox: "read_only" }],
    ["policy", "sandbox", ["workspace_write"], { sandbox: "read_only" }],
    ["policy", "approval", "nevr", { approval: "always" }],
    ["policy", "approval", false, { approval: "always" }],
    ["policy", "network_access", "maybe", { networkAccess: false }],
    ["policy", "careful_after_outside_text", "sometimes", { carefulAfterOutsideText: true }],
    ["policy", "careful_after_outside_text", null, { carefulAfterOutsideText: true }],
  ])("%s.%s: %j counts as the strictest, with an error", (part, key, value, expected) => {
    const { settings, problems } = read({ [part]: { [key]: value } });
    expect(settings.policy).toMatchObject(expected);
    expect(problems).toMatchObject([{ severity: "error", pointer: [part, key] }]);
  });
  test.each(["never", 2, {}])("sandbox.pluginNetwork: %j is no network", (value) => {
    const { settings, problems } = read({ sandbox: { pluginNetwork: value } });
    expect(settings.sandbox.pluginNetwork).toBe(false);
    expect(problems).toMatchObject([{ severity: "error" }]);
  });
  test("a policy that is no object is the strictest of all", () => {
    const { settings, problems } = read({ policy: "full_access", sandbox: [] });
    expect(settings.policy).toEqual({
      approval: "always",
      sandbox: "read_only",
      writableRoots: [],
      networkAccess: false,
      carefulAfterOutsideText: true,
    });
    expect(settings.sandbox.pluginNetwork).toBe(false);
    expect(new Set(problems.map(({ severity }) => severity))).toEqual(new Set(["error"]));
  });
});

describe("keys that nobody knows", () => {
  test.each([
    [{ policy: { sandboks: "read_only" } }, "policy.sandboks", "policy.sandbox"],
    [{ polcy: {} }, "polcy", "policy"],
    [{ approval: "always" }, "approval", "policy.approval"],
    [{ sandbox: { plugin_network: false } }, "sandbox.plugin_network", "sandbox.pluginNetwork"],
    [{ trustedWorkspace: [] }, "trustedWorkspace", "trusted_workspaces"],
    [
      { models: { providers: { x: { baseUrl: "http://x.test", api_key: "${K}" } } } },
      "models.providers.x.api_key",
      "models.providers.x.apiKey",
    ],
  ])("%j is warned of with the one that is meant", (raw, written, meant) => {
    expect(read(raw).problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      `warning: ${written} is no known key; did you mean ${meant}?`,
    ]);
  });
  test("a key that is near none is a note; maps of names and what others read are no keys of ours", () => {
    const { problems } = read({
      entirely_other: 1,
      permission: {},
      agent: { plan: {} },
      $schema: "x",
      switches: { swich: false },
      workspace_switches: { "/ws": { polcy: true } },
      remembered: { "/remembred": [] },
    });
    expect(problems).toMatchObject([
      { severity: "info", message: "entirely_other is no known key; it is kept and has no effect" },
    ]);
  });
});

test("a secret in plain text is told without its value", () => {
  const provider = (more: object) => ({ baseUrl: "https://x.test", ...more });
  const { problems } = read({
    models: {
      providers: {
        plain: provider({ apiKey: "sk-plain-4711" }),
        half: provider({ apiKey: "${KEY} sk-4711" }),
        address: { baseUrl: "https://me:pass4711@x.test/v1" },
        variable: provider({ apiKey: "${KEY}" }),
        stored: provider({ apiKey: "secret:models/x" }),
      },
    },
  });
  expect(problems.map(({ severity, pointer }) => [severity, pointer.slice(2).join(".")])).toEqual([
    ["error", "plain.apiKey"],
    ["error", "half.apiKey"],
    ["error", "address.baseUrl"],
  ]);
  expect(JSON.stringify(problems)).not.toContain("4711");
});
test("names of the language are names like any other", () => {
  const raw: unknown = JSON.parse(
    '{"switches": {"__proto__": false, "constructor": true}, "models": {"providers": {"__proto__": {"baseUrl": "http://x.test"}}}, "policy": {"__proto__": {"sandbox": "full_access"}}, "__proto__": {"model": "evil"}}',
  );
  const { settings } = read(raw);
  expect(Object.entries(settings.switches)).toEqual([
    ["__proto__", false],
    ["constructor", true],
  ]);
  expect(Object.keys(settings.providers)).toEqual(["__proto__"]);
  expect(settings.model).toBeNull();
  expect(settings.policy.sandbox).toBe("workspace_write");
  expect(Object.prototype).not.toHaveProperty("model");
});
