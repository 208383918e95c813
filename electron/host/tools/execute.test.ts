import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Interceptor } from "./interceptors.ts";
import { type Bench, createBench, policyOf, rulesOf, spyTool } from "./tools.testkit.ts";

let bench: Bench;
beforeEach(() => {
  bench = createBench();
});
afterEach(() => bench.stop());
const withInterceptors = async (...interceptors: Interceptor[]): Promise<void> => {
  await bench.stop();
  bench = createBench({ interceptors });
};
const add = (more: Parameters<typeof spyTool>[0] = {}): ReturnType<typeof spyTool> => {
  const spy = spyTool(more);
  bench.registry.add(spy.tool);
  return spy;
};

describe("finding the tool", () => {
  it("takes name, title and alias, and tells the tool's own name", async () => {
    add({ name: "mcp__a__b", title: "mcp.a.b" });
    expect(await bench.call("mcp.a.b", {})).toMatchObject({
      name: "mcp__a__b",
      title: "mcp.a.b",
      origin: "plugin spies",
    });
    fs.writeFileSync(path.join(bench.workspace, "a"), "x");
    expect(await bench.call("Read", { path: "a" })).toMatchObject({
      name: "read_file",
      output: "1\tx",
      isError: false,
    });
  });
  it("names near names for one that is not there", async () => {
    const result = await bench.call("reed_file", {});
    expect(result).toMatchObject({ isError: true, decision: "deny", by: "arguments", sandboxed: null });
    expect(result.output).toBe('there is no tool "reed_file"; did you mean read_file?');
    expect((await bench.call("zzz", {})).output).toMatch(/there are ask_user, edit_file, .*write_file/);
  });
  it("refuses what the role may not call", async () => {
    const spy = add();
    const result = await bench.call(
      "spy",
      {},
      { caller: { role: "explore", tools: new Set(["read_file"]) } },
    );
    expect(result.output).toBe("the tool spy is not offered to the role explore; there are read_file");
    expect(spy.runs).toEqual([]);
  });
});

describe("arguments", () => {
  it("are coerced, frozen, and told as they ran", async () => {
    const spy = add();
    const result = await bench.call("spy", { count: "3", tags: "x" });
    expect(spy.runs).toEqual([{ count: 3, tags: ["x"] }]);
    expect(result.input).toEqual({ count: 3, tags: ["x"] });
    expect(Object.isFrozen(spy.runs[0]) && Object.isFrozen(spy.runs[0]?.["tags"])).toBe(true);
  });
  it("that are not valid name the property, and nothing runs", async () => {
    const spy = add();
    expect(await bench.call("spy", { count: "many" })).toMatchObject({
      isError: true,
      output:
        "the arguments of spy are not valid: count must be a whole number, not text (spy takes count, tags)",
    });
    expect((await bench.call("spy", "text")).output).toBe(
      'the arguments of spy have to be an object, not "text"',
    );
    expect(spy.runs).toEqual([]);
  });
  it("may be absent", async () => {
    const spy = add();
    await bench.call("spy", undefined);
    await bench.call("spy", null);
    expect(spy.runs).toEqual([{}, {}]);
  });
  it("are passed on unchecked where the schema is unusable, which is told once", async () => {
    const spy = add({ inputSchema: { $ref: "#/nowhere" } });
    await bench.call("spy", { a: 1 });
    await bench.call("spy", { a: 2 });
    expect(spy.runs).toEqual([{ a: 1 }, { a: 2 }]);
    expect(bench.diagnostics.map(({ code }) => code)).toEqual(["tool-schema-unusable"]);
  });
  it("of a foreign schema are not held against its patterns", async () => {
    const inputSchema = { type: "object", properties: { a: { type: "string", pattern: "^x" } } };
    const spy = add({ inputSchema, foreignSchema: true });
    expect((await bench.call("spy", { a: "y" })).isError).toBe(false);
    expect((await bench.call("spy", { a: [] })).isError).toBe(true);
    expect(spy.runs).toHaveLength(1);
  });
});

describe("interceptors", () => {
  it("change arguments, which are coerced and validated again", async () => {
    await withInterceptors({ before: () => Promise.resolve({ input: { count: "4" } }) });
    const spy = add();
    expect((await bench.call("spy", { count: 1 })).input).toEqual({ count: 4 });
    expect(spy.runs).toEqual([{ count: 4 }]);
  });
  it("cannot make them invalid, nor move a path past the gate", async () => {
    await withInterceptors({
      before: ({ tool }) =>
        Promise.resolve({ input: tool.name === "spy" ? { count: "x" } : { path: "../out", content: "" } }),
    });
    const spy = add();
    expect((await bench.call("spy", {})).output).toMatch(/count must be a whole number/);
    expect(spy.runs).toEqual([]);
    expect(await bench.call("write_file", { path: "in", content: "" })).toMatchObject({
      isError: true,
      decision: "deny",
    });
    expect(fs.existsSync(path.join(bench.root, "out"))).toBe(false);
  });
  it("deny with their name and reason; later ones are not asked", async () => {
    let asked = 0;
    await withInterceptors(
      { before: () => Promise.resolve({ decision: "deny", name: "guard", reason: "not on Fridays" }) },
      { before: () => Promise.resolve({ decision: asked++ === 0 ? "allow" : "allow" }) },
    );
    const spy = add();
    expect(await bench.call("spy", {})).toMatchObject({
      output: "spy was denied by hook guard: not on Fridays",
      isError: true,
      decision: "deny",
      by: "hook guard",
    });
    expect(spy.runs).toEqual([]);
    expect(asked).toBe(0);
  });
  it("ask: the strictest counts", async () => {
    await withInterceptors(
      { before: () => Promise.resolve({ decision: "ask", name: "careful" }) },
      { before: () => Promise.resolve({ decision: "allow", name: "easy" }) },
    );
    add();
    expect(await bench.call("spy", {})).toMatchObject({ decision: "deny", by: "hook careful" });
  });
  it("see the result and may change it; one that fails leaves it as it is", async () => {
    await withInterceptors(
      { after: (_call, result) => Promise.resolve({ ...result, output: `${result.output}!` }) },
      { after: () => Promise.reject(new Error("broken")) },
    );
    add();
    expect(await bench.call("spy", {})).toMatchObject({ output: "ran!", isError: false });
    expect(bench.diagnostics[0]?.message).toBe("after spy: broken");
  });
  it("that throw before keep the call from running", async () => {
    await withInterceptors({ before: () => Promise.reject(new Error("broken")) });
    const spy = add();
    expect(await bench.call("spy", {})).toMatchObject({ output: "broken", isError: true });
    expect(spy.runs).toEqual([]);
  });
});

describe("the gate", () => {
  it("rejects: what, why and decision", async () => {
    const result = await bench.call(
      "write_file",
      { path: "a", content: "" },
      { policy: { sandbox: "read_only" } },
    );
    expect(result).toMatchObject({ isError: true, decision: "deny", by: "policy" });
    expect(result.output).toBe(
      "write_file was denied by policy: the sandbox policy read_only allows no writing",
    );
    expect(fs.existsSync(path.join(bench.workspace, "a"))).toBe(false);
  });
  it("turns an ask into a deny where nobody can be asked, and says what would answer", async () => {
    const result = await bench.call("write_file", { path: "../a", content: "" });
    expect(result).toMatchObject({ isError: true, decision: "deny" });
    expect(result.output).toMatch(
      /lies outside the workspace.*nobody can be asked here \(--allow 'write_file:/,
    );
  });
  it("says so where the policy is never", async () => {
    const result = await bench.call(
      "fetch_url",
      { url: "http://127.0.0.1:1/" },
      { policy: { approval: "never" } },
    );
    expect(result.output).toBe(
      'fetch_url was denied by policy: network access is off (127.0.0.1); approval is "never": what would ask is denied',
    );
  });
  it("lets --allow answer", async () => {
    const name = path.join(bench.root, "a");
    const result = await bench.call(
      "write_file",
      { path: "../a", content: "x" },
      { policy: { allow: [`write_file:${name}`] } },
    );
    expect(result).toMatchObject({
      isError: false,
      decision: "asked_allow",
      by: `--allow write_file:${name}`,
    });
    expect(fs.readFileSync(name, "utf8")).toBe("x");
  });
  it("takes rules by any of a tool's names", async () => {
    const policy = { rules: rulesOf({ Bash: { "echo *": "allow" } }) };
    expect(await bench.call("run_shell", { command: "echo hi" }, { policy })).toMatchObject({
      output: "hi",
      decision: "allow",
      by: "rule Bash:echo *",
      sandboxed: false,
    });
    expect(await bench.call("run_shell", { command: "echo hi; id" }, { policy })).toMatchObject({
      decision: "deny",
    });
  });
  it("does not give another's tool the rules of a built-in one", async () => {
    const spy = add({ name: "shell", title: "shell", perm: "net" });
    const policy = { rules: rulesOf({ run_shell: "allow" }) };
    expect((await bench.call("shell", {}, { policy })).decision).toBe("deny");
    expect(spy.runs).toEqual([]);
  });
});

describe("runs", () => {
  it("turn what a tool throws into a failed result", async () => {
    add({ run: () => Promise.reject(new Error("boom")) });
    expect(await bench.call("spy", {})).toMatchObject({ output: "boom", isError: true, decision: "allow" });
    expect((await bench.call("read_file", { path: "none" })).output).toBe("none does not exist");
  });
  it("cap the output", async () => {
    add({ run: () => Promise.resolve({ output: "é".repeat(400_000), isError: false, sandboxed: null }) });
    const { output } = await bench.call("spy", {});
    expect(output).toMatch(/^é{262144}\n\(the output was longer; the first 512 KB are shown\)$/);
  });
  it("hand on live output, exit code, difference and state", async () => {
    const heard: string[] = [];
    const states: string[] = [];
    const result = await bench.call(
      "run_shell",
      { command: "echo a; exit 3" },
      {
        policy: { sandbox: "full_access" },
        onOutput: (text) => heard.push(text),
        onState: (state) => states.push(state),
      },
    );
    expect(result).toMatchObject({ exitCode: 3, isError: true, sandboxed: false, decision: "allow" });
    expect(heard.join("")).toBe("a\n");
    expect(states).toEqual(["running"]);
    expect((await bench.call("write_file", { path: "a", content: "x" })).diff).toContain("+x");
  });
  it("end with the signal's reason, and the trace says so", async () => {
    const controller = new AbortController();
    add({
      run: (_input, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("gone")))),
    });
    const running = bench.call(
      "spy",
      {},
      {
        signal: controller.signal,
        onState: () => setImmediate(() => controller.abort(new Error("stopped"))),
      },
    );
    await expect(running).rejects.toThrow("stopped");
    expect(bench.trace).toMatchObject([{ kind: "tool", title: "spy", status: "failed", output: "stopped" }]);
    await expect(bench.call("spy", {}, { signal: controller.signal })).rejects.toThrow("stopped");
    expect(bench.trace).toHaveLength(1);
  });
  it("do not begin where the stop came first", async () => {
    const controller = new AbortController();
    const spy = add();
    const running = bench.call(
      "spy",
      {},
      { signal: controller.signal, onState: () => controller.abort(new Error("stopped")) },
    );
    await expect(running).rejects.toThrow("stopped");
    expect(spy.runs).toEqual([]);
  });
  it("are traced: what, by whom, how it ended", async () => {
    add();
    await bench.call("spy", { count: 1 });
    await bench.call("write_file", { path: "a", content: "" }, { policy: { sandbox: "read_only" } });
    await bench.call("run_shell", { command: "exit 2" }, { policy: { sandbox: "full_access" } });
    expect(bench.trace).toMatchObject([
      {
        id: "call-1",
        kind: "tool",
        title: "spy",
        status: "completed",
        origin: "plugin spies",
        decision: "allow",
        by: "policy",
        sandboxed: null,
        input: '{"count":1}',
        output: "ran",
      },
      { id: "call-2", title: "write_file", status: "denied", origin: "builtin", decision: "deny" },
      { id: "call-3", title: "run_shell", status: "failed", exitCode: 2, sandboxed: false },
    ]);
  });
});

describe("explain", () => {
  const caller = { kind: "user" as const, sessionId: null, role: null, canAsk: true };
  it("says which rule or policy decides, and runs nothing", () => {
    const spy = add({ perm: "net" });
    const policy = policyOf({ rules: rulesOf({ spy: "deny" }) });
    expect(bench.executor.explain("spy", {}, { ...caller, policy })).toMatchObject({
      decision: "deny",
      by: "rule spy:*",
      rule: "spy:*",
    });
    expect(bench.executor.explain("spy", {}, { ...caller, policy: policyOf() })).toMatchObject({
      decision: "ask",
      by: "policy",
    });
    expect(
      bench.executor.explain(
        "Write",
        { path: ".git/config", content: "" },
        { ...caller, policy: policyOf() },
      ),
    ).toMatchObject({
      decision: "ask",
      by: "protected folder .git",
    });
    expect(spy.runs).toEqual([]);
  });
  it("throws for a tool or arguments that cannot be", () => {
    expect(() => bench.executor.explain("nope", {}, { ...caller, policy: policyOf() })).toThrow(
      /there is no tool/,
    );
    expect(() => bench.executor.explain("read_file", {}, { ...caller, policy: policyOf() })).toThrow(
      /path is required/,
    );
  });
});

describe("isReadOnly", () => {
  const readOnly = (name: string, input: unknown = {}): boolean =>
    bench.executor.isReadOnly({ id: "", name, input });
  it("goes by class, never by what a command looks like", () => {
    expect(readOnly("read_file")).toBe(true);
    expect(readOnly("Grep")).toBe(true);
    expect(readOnly("write_file")).toBe(false);
    expect(readOnly("nope")).toBe(false);
    for (const command of ["ls", "cat a", "git status", "true", "echo"])
      expect(readOnly("run_shell", { command })).toBe(false);
  });
  it("asks the tool where it knows better, and never passes it invalid arguments", () => {
    add({ parallel: ({ count }) => count === 1 });
    expect(readOnly("spy", { count: "1" })).toBe(true);
    expect(readOnly("spy", { count: 2 })).toBe(false);
    expect(readOnly("spy", { count: {} })).toBe(false);
    expect(readOnly("ask_user", { question: "?" })).toBe(false);
  });
});
