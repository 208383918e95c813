import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createHost, type Host, type HostOptions } from "./host.ts";
import { stage } from "./market/place.ts";
import { placesOf } from "./market/places.ts";
import { receiptOf } from "./market/receipt-of.ts";
import { ReceiptStore } from "./market/receipts.ts";

let world: World;
const hosts: Host[] = [];
const { signal } = new AbortController();
beforeEach(() => {
  world = createWorld();
});
afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()));
  world.remove();
});
async function open(more: Partial<HostOptions> = {}): Promise<Host> {
  const host = await createHost({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "0",
    shell: "cli",
    canAsk: false,
    built: world.top,
    ...more,
  });
  hosts.push(host);
  return host;
}
const server = path.join(import.meta.dirname, "../../e2e/fixtures/mcp-servers/small.mjs");
const canary = (): boolean => fs.existsSync(path.join(world.top, "canary"));
const evil = (): string =>
  `import fs from "node:fs";\nfs.writeFileSync(${JSON.stringify(path.join(world.top, "canary"))}, "");\nawait import(${JSON.stringify(server)});\n`;
const files = () => [
  {
    path: "plugin.json",
    text: JSON.stringify({
      name: "both",
      tools: [{ name: "look", description: "x", perm: "read", command: [process.execPath, "tool.mjs"] }],
      mcpServers: { one: { command: process.execPath, args: ["${CLAUDE_PLUGIN_ROOT}/server.mjs"] } },
    }),
  },
  { path: "tool.mjs", text: `console.log("fine");\n` },
  { path: "server.mjs", text: `await import(${JSON.stringify(server)});\n` },
];
const folder = (): string => path.join(world.paths.config, "plugins", "both");
/** Leaves what the marketplace leaves of an install for the user: the folder, and the receipt that names its files. */
async function install(brought = files()): Promise<void> {
  const places = placesOf({ paths: world.paths, workspace: world.workspace, targets: {} });
  const target = path.join(places.folder("plugin", "user"), "both");
  stage(target, brought);
  const plan = { id: "market/both", kind: "plugin", name: "both", scope: "user" } as const;
  const placement = { folder: { target, files: brought } };
  await new ReceiptStore(places).write(receiptOf(plan, placement, { source: "market" }, "2026-01-01"));
}
const change = (name: string, text: string): void => fs.writeFileSync(path.join(folder(), name), text);
const state = (host: Host): string | undefined =>
  host.plugins.rows().find(({ name }) => name === "both")?.state;
const look = async (host: Host): Promise<string> => (await host.callTool("look", {}, signal)).output;

describe("a plugin of the user's that came by an install", () => {
  test("counts as it was installed, and is nothing that a folder's trust is asked about", async () => {
    await install();
    const host = await open();
    expect(state(host)).toBe("on");
    expect(host.declarations()).toEqual([]);
    expect(await look(host)).toBe("fine");
  });
  test.skipIf(spawnSync("python3", ["--version"]).status !== 0)(
    "its Python tool has run, and it still counts as it was installed: nothing was written beside its sources",
    async () => {
      const manifest = JSON.stringify({
        name: "both",
        tools: [{ name: "look", description: "x", perm: "read", command: ["python3", "tool.py"] }],
      });
      await install([
        { path: "plugin.json", text: manifest },
        { path: "tool.py", text: "import part\nprint(part.word)\n" },
        { path: "part.py", text: 'word = "fine"\n' },
      ]);
      const host = await open();
      expect(await look(host)).toBe("fine");
      expect(await look(host)).toBe("fine");
      expect(fs.readdirSync(folder()).sort()).toEqual(["part.py", "plugin.json", "tool.py"]);
    },
  );
  test.each([
    ["a script of it", () => change("tool.mjs", evil())],
    ["a file that has come", () => change("more.mjs", evil())],
    ["a file that is gone", () => fs.rmSync(path.join(folder(), "server.mjs"))],
    ["its manifest", () => change("plugin.json", (files()[0]?.text ?? "").replace("tool.mjs", "server.mjs"))],
  ])("changed since, %s: it waits, and neither its tool nor its server runs", async (_what, edit) => {
    await install();
    edit();
    const host = await open();
    expect(state(host)).toBe("needs_approval");
    expect(host.waiting().map(({ row }) => [row.id, row.state])).toEqual([["plugin:both", "needs_approval"]]);
    await host.start();
    await host.settled(20_000);
    expect(host.mcp.rows()).toEqual([]);
    await expect(look(host)).resolves.toContain("look");
    expect(host.toolRows().some(({ name }) => name === "look")).toBe(false);
    expect(canary()).toBe(false);
  });
  test("changed while it runs, what is loaded of it starts no more", async () => {
    await install();
    const host = await open();
    await host.start();
    await host.settled(20_000);
    expect(host.mcp.rows()).toMatchObject([{ state: "ready" }]);
    change("tool.mjs", evil());
    expect(await look(host)).toContain("changed since it was installed");
    await expect(host.mcp.restartServer("one")).rejects.toMatchObject({ code: "not_trusted" });
    expect(canary()).toBe(false);
  });
  test("is reviewed with what differs, approved as it was shown, in every folder, and waits at the next change", async () => {
    await install();
    change("tool.mjs", `console.log("mine");\n`);
    const host = await open({ shell: "browser", canAsk: true });
    const review = await host.handlers["trust.review"]({}, signal);
    expect(review.declarations).toMatchObject([
      {
        id: "plugin:both",
        changes: [
          { what: "tool.mjs", before: expect.stringMatching(/^SHA-256 /), after: `console.log("mine");\n` },
        ],
      },
    ]);
    await host.handlers["trust.grant"]({ grant: review.grant }, signal);
    expect(state(host)).toBe("on");
    expect(await look(host)).toBe("mine");
    expect(host.waiting()).toEqual([]);
    fs.mkdirSync(path.join(world.top, "other"));
    const elsewhere = await open({ workspace: path.join(world.top, "other") });
    expect(await look(elsewhere)).toBe("mine");
    change("tool.mjs", evil());
    expect(state(await open())).toBe("needs_approval");
    expect(canary()).toBe(false);
  });
  test("a change between the review and the answer is refused", async () => {
    await install();
    change("tool.mjs", `console.log("mine");\n`);
    const host = await open({ shell: "browser", canAsk: true });
    const { grant } = await host.handlers["trust.review"]({}, signal);
    change("tool.mjs", evil());
    await expect(host.handlers["trust.grant"]({ grant }, signal)).rejects.toMatchObject({ code: "denied" });
    expect(state(await open())).toBe("needs_approval");
  });
  test("/plugins trust approves it too", async () => {
    await install();
    change("tool.mjs", `console.log("mine");\n`);
    const host = await open();
    await (
      await host.chats.create().send("/plugins trust")
    ).turn;
    expect(await look(host)).toBe("mine");
  });
});
test("a plugin that the user made, without a receipt, counts as it stands", async () => {
  await install();
  fs.rmSync(path.join(world.paths.data, "receipts"), { recursive: true });
  change("tool.mjs", `console.log("mine");\n`);
  const host = await open();
  expect(await look(host)).toBe("mine");
  expect(host.waiting()).toEqual([]);
});
