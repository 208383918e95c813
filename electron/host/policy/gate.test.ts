import { describe, expect, test } from "vitest";
import { decide, type GateInput } from "./gate.ts";
import { sampleInput as base, samplePath as path } from "./gate-tables.testkit.ts";
import type { Rule } from "../config/permission.ts";

const rule = (tool: string, pattern: string, answer: Rule["answer"], over: Partial<Rule> = {}): Rule => ({
  tool,
  pattern,
  answer,
  source: "settings",
  trusted: true,
  ...over,
});
const answer = (over: Partial<GateInput>): string => decide({ ...base, ...over }).answer;
const withPolicy = (
  approval: GateInput["policy"]["approval"],
  sandbox: GateInput["policy"]["sandbox"] = "workspace_write",
) => ({
  policy: { approval, sandbox, networkAccess: false },
});

describe("beside the two tables", () => {
  test("network_access lets net through in workspace_write, never in read_only", () => {
    const net = (sandbox: GateInput["policy"]["sandbox"]): string =>
      answer({ perm: "net", policy: { approval: "on_request", sandbox, networkAccess: true } });
    expect([net("read_only"), net("workspace_write"), net("full_access")]).toEqual([
      "deny",
      "allow",
      "allow",
    ]);
  });
  test("only what workspace_write lets a sandbox confine is confined", () => {
    const confined = (over: Partial<GateInput>): boolean =>
      decide({ ...base, perm: "shell", ...over }).confined;
    expect(confined({})).toBe(true);
    expect(confined({ destructive: true })).toBe(true);
    expect(confined({ perm: "write" })).toBe(false);
    expect(confined({ confinable: false })).toBe(false);
    expect(confined({ sandboxAvailable: false })).toBe(false);
    expect(confined(withPolicy("on_request", "full_access"))).toBe(false);
  });
});

describe("authority, highest first", () => {
  const allowAll = {
    rules: [rule("*", "*", "allow")],
    allow: ["*"],
    hook: { answer: "allow", name: "h" },
  } as const;
  test("a hook's deny beats every allow", () => {
    expect(decide({ ...base, ...allowAll, hook: { answer: "deny", name: "guard" } })).toMatchObject({
      answer: "deny",
      by: "hook guard",
    });
  });
  test("nothing lifts a reject", () => {
    expect(answer({ perm: "shell", ...allowAll, ...withPolicy("on_request", "read_only") })).toBe("deny");
  });
  test("a protected folder asks whatever rules, hooks and remembered answers say, under full_access too", () => {
    const guarded = {
      perm: "write",
      paths: [path("write", "workspace", { protectedFolder: ".git" })],
    } as const;
    for (const sandbox of ["workspace_write", "full_access"] as const) {
      const decision = decide({
        ...base,
        ...guarded,
        ...allowAll,
        remembered: [rule("*", "*", "allow")],
        ...withPolicy("on_request", sandbox),
      });
      expect(decision).toMatchObject({ answer: "ask", by: "protected folder .git" });
      expect(decision.because).toContainEqual({ code: "protected_folder", detail: ".git" });
    }
    expect(answer({ ...guarded, rules: [rule("the_tool", "*", "deny")] })).toBe("deny");
    expect(answer({ ...guarded, ...withPolicy("never") })).toBe("deny");
    expect(
      answer({ ...guarded, paths: [path("read", "workspace", { protectedFolder: ".git" })], perm: "read" }),
    ).toBe("allow");
  });
  test("headless, an --allow of the exact path opens a protected folder and nothing else does", () => {
    const guarded = {
      perm: "write",
      canAsk: false,
      paths: [path("write", "workspace", { protectedFolder: ".git" })],
    } as const;
    for (const allow of ["*", "the_tool", "the_tool:*", "the_tool:x*", "other:x"])
      expect(answer({ ...guarded, allow: [allow] })).toBe("deny");
    for (const allow of ["the_tool:x", "the_tool:/ws/x", "*:x"])
      expect(answer({ ...guarded, allow: [allow] })).toBe("allow");
    const andOutside = [...guarded.paths, path("write", "outside")];
    expect(answer({ ...guarded, paths: andOutside, allow: ["the_tool:x"] })).toBe("deny");
    expect(answer({ ...guarded, paths: andOutside, allow: ["the_tool:x", "the_tool"] })).toBe("allow");
  });
  test("rules come before the matrix, both ways", () => {
    const outside = { perm: "write", paths: [path("write", "outside")] } as const;
    expect(decide({ ...base, ...outside, rules: [rule("the_tool", "/out/*", "allow")] })).toMatchObject({
      answer: "allow",
      answered: false,
      by: "rule the_tool:/out/*",
      rule: "the_tool:/out/*",
    });
    expect(answer({ ...outside, rules: [rule("the_tool", "/out/*", "allow")], ...withPolicy("never") })).toBe(
      "allow",
    );
    expect(answer({ rules: [rule("the_tool", "*", "deny")] })).toBe("deny");
    expect(answer({ rules: [rule("the_tool", "*", "ask")] })).toBe("ask");
  });
  test("an ask rule under never is a deny", () => {
    expect(answer({ rules: [rule("the_tool", "*", "ask")], allow: ["*"], ...withPolicy("never") })).toBe(
      "deny",
    );
  });
  test("a hook's allow answers an ask; its ask asks", () => {
    const net = { perm: "net" } as const;
    expect(decide({ ...base, ...net, hook: { answer: "allow", name: "h" } })).toMatchObject({
      answer: "allow",
      answered: true,
      by: "hook h",
    });
    expect(
      answer({ ...net, hook: { answer: "allow", name: "h" }, rules: [rule("the_tool", "*", "deny")] }),
    ).toBe("deny");
    expect(answer({ hook: { answer: "ask", name: "h" }, rules: [rule("the_tool", "*", "allow")] })).toBe(
      "ask",
    );
  });
});

describe("headless", () => {
  const net = { perm: "net", hosts: ["api.example.com"], canAsk: false } as const;
  test("what asks is denied, unless --allow covers it", () => {
    expect(answer(net)).toBe("deny");
    expect(answer({ ...net, allow: ["the_tool:*.other.com"] })).toBe("deny");
    expect(decide({ ...base, ...net, allow: ["other", "the_tool:*.example.com"] })).toMatchObject({
      answer: "allow",
      answered: true,
      by: "--allow the_tool:*.example.com",
    });
  });
  test("--allow answers an ask, never a deny or what never denies", () => {
    expect(answer({ ...net, allow: ["*"], rules: [rule("the_tool", "*", "deny")] })).toBe("deny");
    expect(answer({ ...net, allow: ["*"], ...withPolicy("never") })).toBe("deny");
    expect(answer({ ...net, allow: ["*"], ...withPolicy("on_request", "read_only") })).toBe("deny");
  });
  test("a secret file opens to an --allow", () => {
    const secret = { paths: [path("read", "workspace", { secret: true })], canAsk: false };
    expect(answer(secret)).toBe("deny");
    expect(answer({ ...secret, allow: ["the_tool:x"] })).toBe("allow");
  });
});

describe("shell commands", () => {
  const shell = (command: string, rules: Rule[]): string =>
    answer({ perm: "shell", sandboxAvailable: false, tool: { all: ["run_shell"] }, command, rules });
  const status = [rule("run_shell", "git status*", "allow")];
  test.each([
    ["git status", "allow"],
    ["git status --short | cat", "ask"],
    ["git status && git status -s", "allow"],
    ["git status; rm -rf x", "ask"],
    ["git status $(rm x)", "ask"],
    ["git status > /etc/passwd", "ask"],
    ["git status 2>/dev/null", "allow"],
    ["GIT_DIR=/x git status", "ask"],
    ["if true; then git status; fi", "ask"],
    ["git statusx", "allow"],
    ["echo git status", "ask"],
  ])("%s: %s", (command, expected) => {
    expect(shell(command, status)).toBe(expected);
  });
  test("a rule for everything covers what cannot be read too", () => {
    expect(shell("if true; then x; fi", [rule("run_shell", "*", "allow")])).toBe("allow");
  });
  test("a deny meets any part, also behind assignments and quotes", () => {
    const deny = [rule("run_shell", "*", "allow"), rule("run_shell", "rm *", "deny")];
    for (const command of ["rm x", "a; rm x", "X=1 rm x", "'r'm x", "echo $(rm x)"])
      expect(shell(command, deny)).toBe("deny");
  });
  test("a remembered compound command is that command alone", () => {
    const remembered = [rule("run_shell", "a && b", "allow", { source: "session" })];
    const ask = { perm: "shell", sandboxAvailable: false, tool: { all: ["run_shell"] }, remembered } as const;
    expect(answer({ ...ask, command: "a && b" })).toBe("allow");
    expect(answer({ ...ask, command: "a && b && c" })).toBe("ask");
  });
});

describe("remembered answers", () => {
  const always = rule("the_tool", "*", "allow", { source: "always" });
  const session = rule("the_tool", "*", "allow", { source: "session" });
  const net = { perm: "net" } as const;
  test("answer an ask of the matrix and of a rule, below a deny", () => {
    expect(decide({ ...base, ...net, rules: [always] })).toMatchObject({
      answer: "allow",
      answered: true,
      by: "always the_tool:*",
    });
    expect(decide({ ...base, ...net, remembered: [session] })).toMatchObject({
      answer: "allow",
      by: "session the_tool:*",
    });
    expect(answer({ ...net, rules: [always, rule("the_tool", "*", "ask")] })).toBe("allow");
    expect(answer({ ...net, rules: [always, rule("the_tool", "*", "deny")] })).toBe("deny");
  });
  test("do not speak for a secret file", () => {
    expect(answer({ paths: [path("read", "workspace", { secret: true })], remembered: [session] })).toBe(
      "ask",
    );
  });
  test("after outside text: shell, net and writes outside ask once more, others do not", () => {
    const after = { outsideText: true, rules: [always], remembered: [session] };
    expect(answer({ ...net, ...after })).toBe("ask");
    expect(answer({ perm: "shell", sandboxAvailable: false, ...after })).toBe("ask");
    expect(answer({ perm: "write", paths: [path("write", "outside")], ...after })).toBe("ask");
    expect(
      answer({ perm: "write", paths: [path("write", "workspace")], ...after, ...withPolicy("always") }),
    ).toBe("allow");
    expect(answer({ paths: [path("read", "outside")], ...after })).toBe("allow");
  });
  test("after outside text, rules in settings and --allow hold", () => {
    expect(answer({ ...net, outsideText: true, rules: [rule("the_tool", "*", "allow")] })).toBe("allow");
    expect(answer({ ...net, outsideText: true, allow: ["the_tool"] })).toBe("allow");
  });
});

test("a read outside opens its folder, and an open folder is not asked about", () => {
  const outside = { paths: [path("read", "outside")] };
  expect(decide({ ...base, ...outside })).toMatchObject({
    answer: "ask",
    opens: ["/out"],
    because: [{ code: "outside_workspace", detail: "/out" }],
  });
  expect(decide({ ...base, ...outside, openedFolders: ["/out"] })).toMatchObject({
    answer: "allow",
    opens: [],
  });
  expect(answer({ ...outside, openedFolders: ["/ou"] })).toBe("ask");
  expect(answer({ paths: [path("read", "outside", { secret: true })], openedFolders: ["/out"] })).toBe("ask");
});
test("an untrusted workspace's rules only narrow", () => {
  expect(answer({ perm: "net", rules: [rule("*", "*", "allow", { trusted: false })] })).toBe("ask");
  expect(answer({ rules: [rule("*", "*", "deny", { trusted: false })] })).toBe("deny");
});
test("the reasons are told", () => {
  expect(decide({ ...base, perm: "shell", destructive: true, command: "rm -rf x" }).because).toEqual([
    { code: "destructive", detail: "rm -rf x" },
  ]);
  expect(decide({ ...base, perm: "shell", sandboxAvailable: false }).because).toEqual([
    { code: "no_sandbox" },
  ]);
  expect(decide({ ...base, perm: "net", hosts: ["a", "b"] }).because).toEqual([
    { code: "network", detail: "a, b" },
  ]);
  expect(decide({ ...base, perm: "write", ...withPolicy("always") }).because).toEqual([
    { code: "policy_always" },
  ]);
  expect(decide({ ...base, rules: [rule("the_tool", "*", "ask")] }).because).toEqual([
    { code: "rule", detail: "the_tool:*" },
  ]);
});
