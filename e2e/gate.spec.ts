import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());
const silent = { steps: [] };

/** The built command line with `--json`; its document and exit code. */
function nacre(...args: string[]): Promise<{ code: number | null; document: Record<string, unknown> }> {
  const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args, "--json"], {
    cwd: world.workspace,
    env: world.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((resolve, reject) => {
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (chunk) => (stdout += String(chunk)));
    child.stderr.on("data", (chunk) => (stderr += String(chunk)));
    child.on("close", (code) => {
      if (stdout === "") reject(new Error(stderr));
      else resolve({ code, document: JSON.parse(stdout) as Record<string, unknown> });
    });
  });
}

test("an agent's write to what declares servers is denied headless, but for an --allow of the exact path (CurXecute)", async () => {
  world = await createWorld(silent);
  const outside = path.join(world.folder, "harbor-evil");
  mkdirSync(outside);
  symlinkSync(".agent", path.join(world.workspace, "alias"));
  const write = (file: string, ...more: string[]) =>
    nacre("tools", "call", "write_file", JSON.stringify({ path: file, content: "{}" }), ...more);
  const settings = path.join(world.config, "settings.json");
  const before = existsSync(settings) ? readFileSync(settings, "utf8") : null;
  for (const [file, allow] of [
    [".agent/mcp.json"],
    [".agent/mcp.json", "write_file:**"],
    [".agent/mcp.json", "*"],
    ["alias/mcp.json", "write_file:.agent/*"],
    [".GIT/hooks/pre-commit"],
    [".git./config"],
    ["sub/.agent/plugins/x/plugin.json"],
    [".mcp.json", "write_file"],
    ["dropstone.json"],
    [settings, "write_file:*"],
    ["../harbor-evil/x"],
  ] as const) {
    const { code, document } = await write(file, ...(allow === undefined ? [] : ["--allow", allow]));
    expect([file, code, document["decision"]]).toEqual([file, 3, "deny"]);
  }
  expect(existsSync(path.join(outside, "x"))).toBe(false);
  expect(existsSync(settings) ? readFileSync(settings, "utf8") : null).toBe(before);
  const exact = await write(".agent/mcp.json", "--allow", "write_file:.agent/mcp.json");
  expect([exact.code, exact.document["decision"]]).toEqual([0, "asked_allow"]);
  expect(readFileSync(path.join(world.workspace, ".agent/mcp.json"), "utf8")).toBe("{}");
});

test("a model's cwd never leaves the workspace (Codex)", async () => {
  world = await createWorld(silent);
  symlinkSync("/", path.join(world.workspace, "rootlink"));
  for (const cwd of ["/", "..", "rootlink", "rootlink/tmp", "sub/../.."]) {
    const call = JSON.stringify({ command: "pwd > canary-cwd", cwd });
    const { document } = await nacre("tools", "call", "run_shell", call, "--allow", "run_shell");
    expect([cwd, document["isError"]]).toEqual([cwd, true]);
  }
});

test("ten explanations say what decides, whose rule it is, and where paths lead", async () => {
  world = await createWorld(silent, {
    settings: {
      permission: {
        run_shell: { "git *": "allow", "git push*": "ask" },
        fetch_url: { "*.example.com": "allow" },
        count_words: "deny",
      },
      agent: {},
    },
  });
  writeFileSync(
    path.join(world.workspace, "dropstone.json"),
    JSON.stringify({ permission: { write_file: { "*": "allow", "notes/**": "deny" } } }),
  );
  mkdirSync(path.join(world.folder, "elsewhere"));
  symlinkSync(path.join(world.folder, "elsewhere"), path.join(world.workspace, "link"));
  const explain = async (tool: string, input: object, ...more: string[]) =>
    (await nacre("doctor", "--explain", tool, JSON.stringify(input), ...more)).document;

  expect(await explain("run_shell", { command: "git status && git push -f" })).toMatchObject({
    decision: "ask",
    by: "rule run_shell:git push*",
    rule: "run_shell:git push*",
    source: "settings",
    parts: ["git status", "git push -f"],
  });
  expect(await explain("run_shell", { command: "git status; touch x > y" })).toMatchObject({
    by: "policy",
    parts: ["git status", "> y", "touch x"],
  });
  expect(await explain("write_file", { path: "link/x", content: "" })).toMatchObject({
    decision: "ask",
    by: "policy",
    because: [{ code: "outside_workspace" }],
    paths: [{ given: "link/x", real: expect.stringMatching(/elsewhere.x$/), protectedFolder: null }],
  });
  expect(await explain("Write", { path: ".git/config", content: "" })).toMatchObject({
    decision: "ask",
    by: "protected folder .git",
    paths: [{ protectedFolder: ".git" }],
  });
  expect(await explain("read_file", { path: ".env" })).toMatchObject({
    decision: "ask",
    because: [{ code: "secret_file" }],
  });
  expect(await explain("fetch_url", { url: "https://api.example.com/x" })).toMatchObject({
    decision: "allow",
    by: "rule fetch_url:*.example.com",
    hosts: ["api.example.com"],
  });
  expect(await explain("fetch_url", { url: "https://example.com.evil.org/" })).toMatchObject({
    decision: "ask",
    by: "policy",
    because: [{ code: "network" }],
  });
  expect(await explain("read_file", { path: "/etc/hostname" })).toMatchObject({
    decision: "ask",
    because: [{ code: "outside_workspace", detail: "/etc" }],
  });
  // The workspace is not trusted: its allow is passed over, its deny counts.
  expect(await explain("write_file", { path: "notes/a.md", content: "" })).toMatchObject({
    decision: "deny",
    by: "rule write_file:notes/**",
    source: expect.stringMatching(/^dropstone:.*dropstone.json$/),
  });
  expect(await explain("write_file", { path: "a.md", content: "" }, "--approval", "always")).toMatchObject({
    decision: "ask",
    because: [{ code: "policy_always" }],
  });
  await nacre("plugins", "trust");
  expect(await explain("count_words", { text: "x" })).toMatchObject({
    decision: "deny",
    by: "rule count_words:*",
    source: "settings",
  });
  expect(await explain("mcp__everything__get-sum", { a: 1, b: 2 })).toMatchObject({
    decision: "ask",
    perm: "net",
  });
});
