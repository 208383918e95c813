import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Bench, createBench, policyOf, rulesOf, spyTool } from "./tools.testkit.ts";
import type { CallPolicy, Tool } from "./types.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.stop());

const decision = (name: string, input: object, permission: unknown, more: Partial<CallPolicy> = {}): string =>
  bench.executor.explain(name, input, {
    kind: "user",
    sessionId: null,
    role: null,
    canAsk: true,
    policy: policyOf({ rules: rulesOf(permission), ...more }),
  }).decision;

describe("rules on hosts", () => {
  const fetch = (url: string, pattern: string, answer = "allow"): string =>
    decision("fetch_url", { url }, { fetch_url: { [pattern]: answer } });
  it.each([
    ["https://api.example.com/x", "*.example.com"],
    ["https://a.b.example.com/x", "*.example.com"],
    ["https://API.EXAMPLE.COM/x", "*.example.com"],
    ["https://api.example.com./x", "*.example.com"],
    ["https://api.example.com:8443/x", "*.example.com"],
    ["https://api.example.com/x", "API.Example.com"],
    ["http://[::1]:80/x", "::1"],
    ["http://[0:0:0:0:0:0:0:1]/x", "[::1]"],
    ["http://0x7f.1/x", "127.0.0.1"],
    ["http://2130706433/x", "127.0.0.1"],
    ["https://bücher.example/x", "xn--bcher-kva.example"],
    ["https://ＥＸＡＭＰＬＥ.com/x", "example.com"],
  ])("%s is spoken of by %s", (url, pattern) => {
    expect(fetch(url, pattern)).toBe("allow");
    expect(fetch(url, pattern, "deny")).toBe("deny");
  });
  it.each([
    ["https://example.com.evil.org/x", "*.example.com"],
    ["https://evilexample.com/x", "*.example.com"],
    ["https://example.com/x", "*.example.com"],
    ["https://api.example.com.evil.org/x", "*.example.com"],
    ["https://evil.org/api.example.com", "*.example.com"],
    ["https://evil.org/?x=.example.com", "*.example.com"],
    ["https://evil.org#.example.com", "*.example.com"],
    ["https://evil.org\\@api.example.com/", "*.example.com"],
    ["https://example.com-evil.org/x", "example.com"],
    ["https://exаmple.com/x", "example.com"],
    ["https://xn--exmple-4nf.com/x", "example.com"],
    ["http://127.0.0.1.evil.org/x", "127.0.0.1"],
    ["http://[::ffff:127.0.0.1]/x", "127.0.0.1"],
    ["https://bücher.example/x", "bucher.example"],
  ])("%s is not spoken of by %s", (url, pattern) => {
    expect(fetch(url, pattern)).toBe("ask");
  });
  it.each(["https://api.example.com@evil.org/x", "https://user:word@api.example.com/x"])(
    "%s with a user's part is no address at all",
    (url) => {
      expect(() => fetch(url, "*")).toThrow(/name or password/);
    },
  );
  it("a deny may be written as it is read", () => {
    expect(fetch("https://bücher.example/x", "bücher.example", "deny")).toBe("deny");
    expect(fetch("https://BÜCHER.example/x", "Bücher.example", "deny")).toBe("deny");
  });
});

describe("names that mean another tool", () => {
  const offered = (name: string, more: Partial<Tool> = {}): void => {
    bench.registry.add(spyTool({ name, title: name, perm: "net", ...more }).tool);
  };
  const bash = { perm: "shell" as const, origin: { kind: "plugin" as const, owner: "evil" } };

  it.each(["bash", "read", "RUN_SHELL", "shell", "Webfetch", "skILL"])(
    "what allows a built-in tool says nothing of a plugin's %s",
    (name) => {
      offered(name, bash);
      for (const said of [name, name.toLowerCase(), `${name}*`, "b*", "r*", "s*", "w*"])
        expect([said, decision(name, {}, { [said]: "allow" })]).toEqual([said, "ask"]);
      expect(decision(name, {}, {}, { allow: [name] })).toBe("ask");
      expect(decision(name, {}, { [name]: "deny" })).toBe("deny");
      expect(decision(name, {}, { [`evil/${name}`]: "allow" })).toBe("allow");
      expect(decision(name, {}, { "*": "allow" })).toBe("allow");
    },
  );
  it("rules on run_shell by its other names are not about a plugin's tool", () => {
    offered("bash", bash);
    expect(decision("bash", {}, { Bash: "allow" })).toBe("ask");
    expect(decision("run_shell", { command: "ls" }, { bash: "allow" })).toBe("allow");
  });
  it.each(["mcp__git__status", "mcp.git.status", "lsp__ts__rename", "dap__x__launch"])(
    "a plugin's %s is no server's tool",
    (name) => {
      offered(name);
      expect(
        decision(
          name,
          {},
          { "mcp__git__*": "allow", "mcp.git.*": "allow", "lsp__*": "allow", "dap__*": "allow" },
        ),
      ).toBe("ask");
      expect(
        decision(
          name,
          {},
          { "mcp__git__*": "deny", "mcp.git.*": "deny", "lsp__*": "deny", "dap__*": "deny" },
        ),
      ).toBe("deny");
    },
  );
  it("a server of its own name is meant by its rules", () => {
    offered("mcp__git__status", { title: "mcp.git.status", origin: { kind: "mcp", owner: "git" } });
    expect(decision("mcp__git__status", {}, { "mcp__git__*": "allow" })).toBe("allow");
    expect(decision("mcp__git__status", {}, { "mcp.git.*": "allow" })).toBe("allow");
  });
  it("a workspace's server that shadows the user's has nothing of what the user allowed", async () => {
    offered("mcp__git__status", {
      title: "mcp.git.status",
      origin: { kind: "mcp", owner: "git" },
      borrowedName: "workspace",
    });
    const allowed = { "mcp__git__*": "allow", "mcp.git.status": "allow", mcp__git__status: "allow" };
    expect(decision("mcp__git__status", {}, allowed)).toBe("ask");
    expect(decision("mcp__git__status", {}, {}, { allow: ["mcp__git__*"] })).toBe("ask");
    expect(decision("mcp__git__status", {}, { "mcp__git__*": "deny" })).toBe("deny");
    expect(decision("mcp__git__status", {}, { "workspace/mcp__git__*": "allow" })).toBe("allow");

    const caller = { canAsk: true };
    const first = bench.call("mcp__git__status", {}, { caller });
    const view = await bench.answer({ choice: "session" });
    expect(view.rule).toBe("workspace/mcp__git__status");
    expect((await first).decision).toBe("asked_allow");
    // The answer was to this very tool.
    expect(await bench.call("mcp__git__status", {}, { caller })).toMatchObject({
      decision: "asked_allow",
      by: "session workspace/mcp__git__status:*",
    });
  });
});
