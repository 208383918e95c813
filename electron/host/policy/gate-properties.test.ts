import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { approvalPolicies, sandboxPolicies } from "../../../shared/policy.ts";
import { proof } from "../kit/proofs.testkit.ts";
import { decide, type GateInput } from "./gate.ts";
import { answerTable, sampleInput, samplePath } from "./gate-tables.testkit.ts";
import type { LocatedPath } from "./locate.ts";
import { naiveAnswer, type NaiveCall } from "./naive-gate.testkit.ts";
import type { Rule } from "../config/permission.ts";
import { judge } from "./verdict.ts";

vi.setConfig({ testTimeout: 180_000 });
const size = proof(400, 20_000);
const rank = { deny: 0, ask: 1, allow: 2 } as const;

const places: Partial<LocatedPath>[] = [
  {
    place: "workspace",
    real: "/home/ws/docs/a.md",
    names: ["docs/a.md", "/home/ws/docs/a.md"],
    folder: "/home/ws/docs",
  },
  {
    place: "workspace",
    real: "/home/ws/.env",
    names: [".env", "/home/ws/.env"],
    folder: "/home/ws",
    secret: true,
  },
  {
    place: "workspace",
    real: "/home/ws/.git/config",
    names: [".git/config", "/home/ws/.git/config"],
    protectedFolder: ".git",
  },
  { place: "writable", real: "/root/x", names: ["/root/x"], folder: "/root" },
  { place: "readable", real: "/skill/x", names: ["/skill/x"], folder: "/skill" },
  { place: "outside", real: "/out/a/x", names: ["/out/a/x"], folder: "/out/a", given: "../../out/a/x" },
  { place: "outside", real: "/home/notes.md", names: ["/home/notes.md", "~/notes.md"], folder: "/home" },
  {
    place: "outside",
    real: "/home/.config/nacre/settings.json",
    names: ["/home/.config/nacre/settings.json"],
    folder: "/home/.config/nacre",
    secret: true,
    protectedFolder: "<config>",
  },
];
const path = fc
  .tuple(fc.constantFrom(...places), fc.constantFrom("read" as const, "write" as const))
  .map(([place, access]) => samplePath(access, "workspace", place));

/** Commands with the parts that they were put together from; some are of a kind that no allow may be read into. */
const simple = fc.constantFrom(
  { given: "git status" },
  { given: "git status -s" },
  { given: "git push" },
  { given: "rm x" },
  { given: "X=1 git status", program: "git status" },
  { given: "echo a" },
  { given: "git 'push'", text: "git push" },
  { given: 'git "status -s"', text: "git 'status -s'", unquoted: "git status -s" },
  { given: "git\\ status", text: "'git status'", unquoted: "git status", quotedProgram: true },
  { given: "'git status' -s", unquoted: "git status -s", quotedProgram: true },
);
const command = fc.oneof(
  fc
    .array(fc.tuple(simple, fc.constantFrom(" && ", "; ", " | ", "\n")), { minLength: 1, maxLength: 3 })
    .map((all) => ({
      command: all
        .map(([{ given }, joint], index) => (index === 0 ? given : (all[index - 1]?.[1] ?? joint) + given))
        .join(""),
      parts: all.map(([{ given, ...part }]) => ({ text: given, program: given, ...part })),
      readable: true,
    })),
  fc
    .constantFrom("git status ${x:-a}", "$x status", "! git status")
    .map((text) => ({ command: text, parts: [{ text, program: text }], readable: false })),
);

const tool = fc.constantFrom(
  "*",
  "**",
  "the_tool",
  "THE_tool",
  "the_*",
  "Title",
  "t?e_tool",
  "other",
  "owner/the_tool",
);
const pattern = fc.constantFrom(
  "*",
  "**",
  "docs/**",
  "docs/a.md",
  "/out/*",
  "../../out/*",
  "~/*",
  ".git/config",
  "*.example.com",
  "api.example.com",
  "git status",
  "git status*",
  "git *",
  "X=1 *",
  "git status && git push",
  "git ?tatus*",
  "'git status'",
  "'git status'*",
  "*",
  "git 'status*",
  "rm ?",
  "pdf",
  "p:*",
  "",
);
const answer = fc.constantFrom("allow" as const, "ask" as const, "deny" as const);
const rule: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ tool, pattern, answer, source: fc.constantFrom("settings", "role:r"), trusted: fc.boolean() }),
  fc.record({
    tool,
    pattern,
    answer: fc.constant("allow" as const),
    source: fc.constant("always"),
    trusted: fc.constant(true),
  }),
);
const remembered = fc.record({
  tool,
  pattern,
  answer: fc.constant("allow" as const),
  source: fc.constant("session"),
  trusted: fc.constant(true),
});
const allow = fc.oneof(
  tool,
  fc.tuple(tool, pattern).map((both) => both.join(":")),
);

const call: fc.Arbitrary<NaiveCall> = fc
  .record({
    perm: fc.constantFrom("read" as const, "write" as const, "shell" as const, "net" as const),
    policy: fc.record({
      approval: fc.constantFrom(...approvalPolicies),
      sandbox: fc.constantFrom(...sandboxPolicies),
      networkAccess: fc.boolean(),
    }),
    sandboxAvailable: fc.boolean(),
    confinable: fc.boolean(),
    canAsk: fc.boolean(),
    paths: fc.array(path, { maxLength: 3 }),
    hosts: fc.subarray(["api.example.com", "example.com.evil.org"]),
    names: fc.constantFrom([], ["pdf"], ["p:pdf", "pdf"]),
    destructive: fc.boolean(),
    tool: fc.constantFrom<GateInput["tool"][]>(
      { all: ["the_tool", "Title"] },
      { all: ["the_tool", "owner/the_tool"], forAllow: ["owner/the_tool"] },
    ),
    rules: fc.array(rule, { maxLength: 5 }),
    allow: fc.array(allow, { maxLength: 2 }),
    outsideText: fc.boolean(),
    remembered: fc.array(remembered, { maxLength: 2 }),
    saidAgain: fc.boolean(),
    elsewhere: fc.boolean(),
    openedFolders: fc.subarray(["/out", "/home", "/out/a"]),
    home: fc.constant("/home"),
    hook: fc.option(fc.record({ answer, name: fc.constant("h") }), { freq: 2, nil: undefined }),
    shell: fc.option(command, { nil: undefined }),
  })
  .map(({ shell, hook, saidAgain, ...rest }) => ({
    input: {
      ...rest,
      confirmed: [...rest.rules, ...rest.remembered].flatMap((one, index) =>
        saidAgain || index % 2 === 0 ? [one.pattern === "*" ? one.tool : `${one.tool}:${one.pattern}`] : [],
      ),
      ...(hook === undefined ? {} : { hook }),
      ...(shell === undefined ? {} : { command: shell.command }),
    },
    parts: shell?.parts ?? [],
    readable: shell?.readable ?? true,
  }));
const holds = (property: (call: NaiveCall) => void): void => fc.assert(fc.property(call, property), size);

describe("for whatever call, policy and rules", () => {
  test("the gate answers as a second, naive reading of the spec does", () => {
    holds((one) => {
      expect(decide(one.input).answer).toBe(naiveAnswer(one));
    });
  });
  test("nothing is allowed that the tables ask about or deny, unless something that allows is named", () => {
    holds(({ input }) => {
      const decision = decide(input);
      if (decision.answer !== "allow" || decision.by === "policy") return;
      const { verdict } = judge(input);
      expect(verdict).not.toBe("reject");
      const [kind = "", ...text] = decision.by.split(" ");
      const named = text.join(" ");
      const sources: Record<string, () => boolean> = {
        rule: () =>
          input.rules.some((r) => r.trusted && r.answer === "allow" && `${r.tool}:${r.pattern}` === named),
        always: () => input.rules.some((r) => r.source === "always" && `${r.tool}:${r.pattern}` === named),
        session: () => input.remembered.some((r) => `${r.tool}:${r.pattern}` === named),
        hook: () => input.hook?.answer === "allow",
        "--allow": () => input.allow.length > 0,
      };
      expect([decision.by, sources[kind]?.()]).toEqual([decision.by, true]);
    });
  });
  test("what is allowed by the policy alone is allowed by the tables", () => {
    holds(({ input }) => {
      const decision = decide(input);
      if (decision.by !== "policy" || decision.answer !== "allow") return;
      const { verdict } = judge(input);
      const reads = input.perm === "read" && input.paths.every(({ access }) => access === "read");
      expect(verdict === "ok" && (reads || answerTable[input.policy.approval][verdict] === "allow")).toBe(
        true,
      );
    });
  });
  test("a deny rule, wherever it is put, never allows more", () => {
    const deny = fc.record({ tool, pattern, trusted: fc.boolean() });
    fc.assert(
      fc.property(call, deny, fc.nat(), ({ input }, added, at) => {
        const rules = input.rules.toSpliced(at % (input.rules.length + 1), 0, {
          ...added,
          answer: "deny",
          source: "settings",
        });
        expect(rank[decide({ ...input, rules }).answer]).toBeLessThanOrEqual(rank[decide(input).answer]);
      }),
      size,
    );
  });
  test("the rules of an untrusted workspace never allow more", () => {
    holds(({ input }) => {
      const rules = input.rules.filter(({ trusted }) => trusted);
      expect(rank[decide(input).answer]).toBeLessThanOrEqual(rank[decide({ ...input, rules }).answer]);
    });
  });
  test("never never asks, and headless nobody is asked", () => {
    holds(({ input }) => {
      expect(decide({ ...input, policy: { ...input.policy, approval: "never" } }).answer).not.toBe("ask");
      const headless = decide({ ...input, canAsk: false }).answer;
      expect(headless).not.toBe("ask");
      expect(headless === "allow").toBe(decide({ ...input, canAsk: true }).answer === "allow");
    });
  });
  test("read_only lets no write, shell or net through, whatever allows", () => {
    holds(({ input }) => {
      const writes = input.paths.some(({ access }) => access === "write");
      if (input.perm === "read" && !writes) return;
      expect(decide({ ...input, policy: { ...input.policy, sandbox: "read_only" } }).answer).toBe("deny");
    });
  });
  test("text from outside never allows more, and where it takes an answer away, it is named", () => {
    holds(({ input }) => {
      const after = decide({ ...input, outsideText: true });
      const before = decide({ ...input, outsideText: false });
      expect(rank[after.answer]).toBeLessThanOrEqual(rank[before.answer]);
      if (after.answer !== before.answer) expect(after.because).toContainEqual({ code: "outside_text" });
      if (before.answer !== "allow") expect(after.answer).toBe(before.answer);
    });
  });
  test("a protected folder is written to after nothing but an exact --allow", () => {
    holds(({ input }) => {
      const guarded = input.paths.some((one) => one.access === "write" && one.protectedFolder !== null);
      if (!guarded || decide(input).answer !== "allow") return;
      expect(input.allow.some((text) => /^[^:]+:[^*?]+$/.test(text))).toBe(true);
      expect(decide(input).by).toMatch(/^--allow /);
    });
  });
});
test("a reason is told for every ask and every denial of the policy", () => {
  holds(({ input }) => {
    const decision = decide(input);
    if (decision.answer === "allow" || decision.by.startsWith("hook") || decision.by.startsWith("rule"))
      return;
    expect(decision.because.length).toBeGreaterThan(0);
  });
});
test("the empty input is a read that is allowed", () => {
  expect(decide(sampleInput).answer).toBe("allow");
});
