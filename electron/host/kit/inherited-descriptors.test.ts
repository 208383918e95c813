import { fork, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { build } from "vite";

let folder: string;
const at = (name: string): string => path.join(folder, name);
describe.skipIf(process.platform !== "linux")("what a shell left open", () => {
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-inherited-"));
    await build({
      configFile: false,
      logLevel: "error",
      ssr: { noExternal: true, target: "node" },
      build: {
        ssr: true,
        outDir: at("built"),
        target: "node20",
        rolldownOptions: {
          input: {
            program: fileURLToPath(import.meta.resolve("./inherited-descriptors.testkit.ts")),
            close: fileURLToPath(import.meta.resolve("./inherited-descriptors.ts")),
            helper: fileURLToPath(import.meta.resolve("./helper/main.ts")),
          },
          output: { format: "esm", entryFileNames: "[name].mjs" },
        },
      },
    });
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
  const children = (...more: string[]): Record<string, unknown> => {
    const program = [at("built/program.mjs"), at("built/helper.mjs"), at("run"), ...more];
    const { stdout, stderr } = spawnSync(
      "bash",
      ["-c", 'exec 20<"$0" 200>>"$0/file" 201<"$0"; "$@"', folder, process.execPath, ...program],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it("goes on to no child, whoever starts it, and not to the helper", () => {
    const { helped, ...open } = children();
    expect(helped).toBe(true);
    for (const [way, text] of Object.entries(open)) {
      expect(String(text).split("\n"), way).toContain("0");
      expect(String(text).split("\n"), way).not.toContain("20");
      expect(String(text), way).not.toMatch(/^20[01]$/m);
    }
  });
  it("would go on to all of them", () => {
    const { helped, ...open } = children("keep");
    expect(helped).toBe(true);
    for (const [way, text] of Object.entries(open)) expect(String(text), way).toMatch(/^20[01]$/m);
  });
  it("does not take the channel to a parent that is Node", async () => {
    const script = at("channel.mjs");
    fs.writeFileSync(
      script,
      'import { closeInherited } from "./built/close.mjs"; closeInherited(); process.once("message", (text) => process.send(text + "!", () => process.disconnect()));',
    );
    const child = fork(script, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
    const said = new Promise((resolve) => child.once("message", resolve));
    child.send("here");
    expect(await said).toBe("here!");
    await new Promise((resolve) => child.once("exit", resolve));
  });
});
