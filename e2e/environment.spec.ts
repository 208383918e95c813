import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { createWorld, root, type World } from "./support/world.ts";

let world: World;
test.afterEach(() => world.stop());
test.skip(process.platform === "win32", "the programs of this world are shell scripts");

/** What no child may hear of: ours, what steers Node and Electron, what npm gives its scripts, a model's key. */
const forbidden = {
  NACRE_API_KEY: "secret-own",
  OWN_MODEL_KEY: "secret-named",
  NODE_OPTIONS: "--no-warnings",
  ELECTRON_RUN_AS_NODE: "1",
  ELECTRON_NO_ATTACH_CONSOLE: "1",
  npm_lifecycle_event: "start",
  npm_config_local_prefix: "/x",
  npm_package_name: "x",
};

test("whatever starts a program, it gets the user's environment without our keys and what steers Node", async () => {
  world = await createWorld(
    {
      steps: [
        {
          toolCalls: [
            { name: "run_shell", input: { command: "env > $SEEN/run_shell" } },
            { name: "tell", input: {} },
            { name: "grep", input: { pattern: "search" } },
            { name: "mcp__teller__where", input: {} },
          ],
        },
        { text: "done" },
      ],
    },
    {
      trusted: true,
      settings: {
        models: {
          providers: {
            own: {
              kind: "openai-compatible",
              baseUrl: "http://127.0.0.1:9/v1",
              apiKey: "${OWN_MODEL_KEY}",
            },
          },
        },
      },
    },
  );
  const seen = path.join(world.folder, "seen");
  mkdirSync(seen);
  Object.assign(world.env, forbidden, { SEEN: seen, USERS_OWN: "kept" });
  const server = path.join(root, "e2e/fixtures/mcp-servers/small.mjs");
  writeFileSync(
    path.join(world.workspace, ".agent/mcp.json"),
    JSON.stringify({
      mcpServers: {
        teller: {
          command: "sh",
          args: ["-c", `env > $SEEN/mcp; exec ${process.execPath} ${server}`],
          env: { NACRE_DECLARED: "wanted" },
          autoApprove: ["where"],
        },
      },
    }),
  );
  const plugin = path.join(world.workspace, ".agent/plugins/teller");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(
    path.join(plugin, "plugin.json"),
    JSON.stringify({
      name: "teller",
      version: "1.0.0",
      description: "Tells.",
      tools: [
        {
          name: "tell",
          description: "Tells.",
          command: ["sh", "-c", "env > $SEEN/exec-tool"],
          parameters: { type: "object", properties: {} },
          perm: "read",
        },
      ],
    }),
  );
  for (const args of [
    ["plugins", "trust"],
    ["run", "go", "--sandbox", "full_access"],
  ]) {
    const child = spawn(process.execPath, [path.join(root, "bin/nacre.cjs"), ...args], {
      cwd: world.workspace,
      env: world.env,
      stdio: "ignore",
    });
    expect(await once(child, "exit")).toEqual([0, null]);
  }
  for (const name of ["run_shell", "exec-tool", "mcp"]) {
    const text = readFileSync(path.join(seen, name), "utf8");
    const names = new Set(text.split("\n").map((line) => line.split("=")[0]));
    expect(names).toContain("USERS_OWN");
    expect([name, Object.keys(forbidden).filter((one) => names.has(one))]).toEqual([name, []]);
    expect(text).not.toContain("secret-");
    expect(names.has("NACRE_DECLARED")).toBe(name === "mcp");
  }
});
