import fs from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfigStore } from "../config/store.ts";
import { createWorld, type World } from "../config/world.testkit.ts";
import { fingerprint } from "./digest.ts";
import { TrustStore } from "./trust.ts";

let world: World;
beforeEach(() => {
  world = createWorld();
});
afterEach(() => world.remove());

async function open(
  workspace = world.workspace,
): Promise<{ config: ConfigStore; trust: TrustStore; told: () => number }> {
  const config = await ConfigStore.open({ workspace, paths: world.paths });
  const trust = new TrustStore({ config, paths: world.paths, workspace, clock: { now: () => 0 } });
  let count = 0;
  trust.onChange.on(() => count++);
  return { config, trust, told: () => count };
}
const server = { id: "mcp:workspace/a", digest: "d1" };

test("nothing is trusted before somebody says so", async () => {
  const { trust } = await open();
  expect(trust.isTrusted()).toBe(false);
  expect(trust.stateOf(server)).toBe("untrusted");
});
test("trust covers what is declared now, at once; what is new or changed waits", async () => {
  const { trust, told } = await open();
  await trust.trust([server]);
  expect(trust.stateOf(server)).toBe("approved");
  expect(trust.stateOf({ ...server, digest: "d2" })).toBe("needs_approval");
  expect(trust.stateOf({ id: "mcp:workspace/b", digest: "d1" })).toBe("needs_approval");
  expect(told()).toBeGreaterThan(0);
  expect(world.readSettings()).toEqual({ trusted_workspaces: [world.workspace] });
  await trust.approve({ ...server, digest: "d2" });
  expect(trust.stateOf({ ...server, digest: "d2" })).toBe("approved");
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("settings hold paths alone, approvals their own file; both outlive the host", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  expect(JSON.parse(fs.readFileSync(trust.file, "utf8"))).toEqual({
    v: 2,
    workspace: world.workspace,
    at: "1970-01-01T00:00:00.000Z",
    approved: { "mcp:workspace/a": "d1" },
    content: {},
  });
  expect((await open()).trust.stateOf(server)).toBe("approved");
});
test("trust is of the real path: a link to it is it, a folder beside it is not", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  const link = path.join(world.top, "link");
  fs.symlinkSync(world.workspace, link);
  expect((await open(link)).trust.stateOf(server)).toBe("approved");
  fs.mkdirSync(path.join(world.workspace, "sub"));
  expect((await open(path.join(world.workspace, "sub"))).trust.isTrusted()).toBe(false);
});
test("a path in settings without approvals trusts nothing that runs", async () => {
  world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.workspace] }));
  const { trust } = await open();
  expect(trust.isTrusted()).toBe(true);
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("taking trust away forgets the approvals and is told", async () => {
  world.write("config/settings.json", '{ "trusted_workspaces": ["/other"] }');
  const { trust, told } = await open();
  await trust.trust([server]);
  const before = told();
  await trust.untrust();
  expect(told()).toBeGreaterThan(before);
  expect(trust.stateOf(server)).toBe("untrusted");
  expect(fs.existsSync(trust.file)).toBe(false);
  expect(world.readSettings()).toEqual({ trusted_workspaces: ["/other"] });
  await trust.trust([]);
  expect(trust.stateOf(server)).toBe("needs_approval");
});
test("what another host did counts after the next reload", async () => {
  const mine = await open();
  const other = await open();
  await other.trust.trust([server]);
  expect(mine.trust.isTrusted()).toBe(false);
  await mine.config.reload();
  expect(mine.trust.stateOf(server)).toBe("approved");
  expect(mine.told()).toBe(1);
  await other.trust.approve({ id: "mcp:workspace/b", digest: "d9" });
  await mine.trust.approve({ id: "mcp:workspace/c", digest: "d8" });
  expect(mine.trust.stateOf({ id: "mcp:workspace/b", digest: "d9" })).toBe("approved");
});
test("a broken approvals file approves nothing, and says so", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  fs.writeFileSync(trust.file, '{"approved": ');
  const again = (await open()).trust;
  expect(again.stateOf(server)).toBe("needs_approval");
  expect(again.diagnostics()).toMatchObject([{ code: "trust-broken", path: trust.file }]);
  await again.trust([server]);
  expect(again.diagnostics()).toEqual([]);
  expect(again.stateOf(server)).toBe("approved");
});

describe("what was approved", () => {
  const taken = (declaration: object, ...files: string[]) => {
    const now = fingerprint(declaration, files, { base: world.workspace });
    return { id: "mcp:workspace/a", digest: now.digest, fingerprint: now };
  };
  const copies = (): string[] => {
    const folder = path.join(world.paths.data, "trust/files");
    return fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  };
  test("stands beside what is there now: arguments, each variable, url, files, links", async () => {
    const { trust } = await open();
    const script = world.write("ws/run.js", "one\ntwo\n");
    const gone = world.write("ws/gone.js", "x");
    const binary = world.write("ws/pic.bin", "\0\x01");
    fs.symlinkSync("run.js", path.join(world.workspace, "link.js"));
    const link = path.join(world.workspace, "link.js");
    const before = {
      declaration: {
        command: "node",
        args: ["run.js"],
        env: { A: "1", B: "2" },
        headers: { "X-Key": "${K}" },
      },
    };
    await trust.trust([taken(before, script, gone, binary, link)]);
    world.write("ws/run.js", "one\n2\n");
    world.write("ws/pic.bin", "\0\x01\x02");
    fs.rmSync(gone);
    fs.rmSync(link);
    fs.symlinkSync("new.js", link);
    const fresh = world.write("ws/new.js", "new");
    const after = {
      declaration: {
        command: "node",
        args: ["run.js", "--token=1 2"],
        env: { A: "1", B: "3", C: "4" },
        url: "https://example.com",
      },
    };
    const { fingerprint: now } = taken(after, script, gone, binary, fresh, link);
    for (const store of [trust, (await open()).trust])
      expect(store.changesOf("mcp:workspace/a", now)).toEqual([
        { what: "args", before: '["run.js"]', after: '["run.js","--token=1 2"]' },
        { what: "env.B", before: "2", after: "3" },
        { what: "headers.X-Key", before: "${K}", after: null },
        { what: "env.C", before: null, after: "4" },
        { what: "url", before: null, after: "https://example.com" },
        { what: "gone.js", before: "x", after: null },
        { what: "link.js", before: "one\ntwo\n", after: "new" },
        { what: "new.js", before: null, after: "new" },
        {
          what: "pic.bin",
          before: expect.stringMatching(/^2 bytes, SHA-256 /),
          after: expect.stringMatching(/^3 bytes, SHA-256 /),
        },
        { what: "run.js", before: "one\ntwo\n", after: "one\n2\n" },
        { what: "link.js", before: "→ run.js", after: "→ new.js" },
      ]);
    expect(trust.changesOf("mcp:workspace/other", now)).toBeUndefined();
  });
  test("shows a bundle's files by name, and of many no more than a person looks at", async () => {
    const { trust } = await open();
    const files = Array.from({ length: 150 }, (_, index) => world.write(`ws/p/${index}.txt`, "1"));
    await trust.trust([taken({}, ...files)]);
    for (const file of files) fs.writeFileSync(file, "2");
    const changes = trust.changesOf("mcp:workspace/a", taken({}, ...files).fingerprint) ?? [];
    expect(changes).toHaveLength(101);
    expect(changes.at(-1)).toEqual({ what: "…", before: null, after: "+50" });
  });
  test("of an approvals file of version 1 only digests are known: it counts, and no difference is shown", async () => {
    const now = taken({ command: "a" });
    world.write("config/settings.json", JSON.stringify({ trusted_workspaces: [world.workspace] }));
    const { trust } = await open();
    fs.mkdirSync(path.dirname(trust.file), { recursive: true });
    fs.writeFileSync(
      trust.file,
      JSON.stringify({ v: 1, workspace: world.workspace, at: "x", approved: { [now.id]: now.digest } }),
    );
    const again = (await open()).trust;
    expect(again.stateOf(now)).toBe("approved");
    expect(again.changesOf(now.id, taken({ command: "b" }).fingerprint)).toBeUndefined();
  });
  test("is readable for the user alone, and its copies go when no approval names them", async () => {
    const { trust } = await open();
    const one = world.write("ws/a.js", "secret 1");
    await trust.trust([taken({}, one)]);
    expect(copies()).toHaveLength(1);
    const mode = (file: string): number => fs.statSync(file).mode & 0o777;
    if (process.platform !== "win32") {
      const folder = path.dirname(trust.file);
      const copy = path.join(folder, "files", copies()[0] ?? "");
      expect([folder, path.dirname(copy), trust.file, copy].map(mode)).toEqual([0o700, 0o700, 0o600, 0o600]);
    }
    fs.mkdirSync(path.join(world.top, "ws2"));
    const other = (await open(path.join(world.top, "ws2"))).trust;
    await other.trust([taken({}, one)]);
    world.write("ws/a.js", "secret 2");
    await trust.trust([taken({}, one)]);
    expect(copies()).toHaveLength(2);
    await other.untrust();
    expect(copies()).toHaveLength(1);
    await trust.untrust();
    expect(copies()).toEqual([]);
  });
  test("is kept only where it is still what the digest was taken of", async () => {
    const { trust } = await open();
    const file = world.write("ws/a.js", "shown");
    const subject = taken({}, file);
    world.write("ws/a.js", "swapped");
    await trust.trust([subject]);
    expect(copies()).toEqual([]);
    expect(trust.stateOf(taken({}, file))).toBe("needs_approval");
  });
});
test("trust is all or nothing: settings that are broken, too large or no file give an error and approve nothing", async () => {
  const settings = path.join(world.paths.config, "settings.json");
  const spoil: Record<string, () => void> = {
    broken: () => fs.writeFileSync(settings, '{ "model": '),
    large: () => fs.writeFileSync(settings, `{"model": "${"x".repeat(5 * 1024 * 1024)}"}`),
    list: () => fs.writeFileSync(settings, "[]"),
    folder: () => fs.mkdirSync(settings),
  };
  for (const [how, work] of Object.entries(spoil)) {
    fs.rmSync(settings, { recursive: true, force: true });
    const { trust } = await open();
    work();
    const before = fs.statSync(settings).isFile() ? fs.readFileSync(settings, "utf8") : undefined;
    await expect(trust.trust([server]), how).rejects.toMatchObject({
      code: expect.stringMatching(/^(configuration|io)$/),
      message: expect.stringContaining("settings.json"),
    });
    expect(trust.stateOf(server), how).toBe("untrusted");
    expect(fs.existsSync(trust.file), how).toBe(false);
    if (before !== undefined) expect(fs.readFileSync(settings, "utf8")).toBe(before);
  }
});
test("trust that cannot be taken from settings approves nothing all the same", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  fs.writeFileSync(path.join(world.paths.config, "settings.json"), '{ "trusted_workspaces": ');
  await expect(trust.untrust()).rejects.toMatchObject({ code: "configuration" });
  expect(trust.stateOf(server)).not.toBe("approved");
  expect((await open()).trust.stateOf(server)).not.toBe("approved");
});
test("what nobody names any more and cannot be removed takes nothing of the trust back, and is said", async () => {
  const { trust, told } = await open();
  // No file of ours: it is not removed as one.
  fs.mkdirSync(path.join(world.paths.data, "trust", "files", "x"), { recursive: true });
  await trust.trust([server]);
  expect(trust.stateOf(server)).toBe("approved");
  expect(trust.diagnostics()).toMatchObject([{ code: "trust-leftover" }]);
  const before = told();
  await trust.approve({ ...server, digest: "d2" });
  expect(trust.stateOf({ ...server, digest: "d2" })).toBe("approved");
  expect(told()).toBeGreaterThan(before);
  await trust.untrust();
  expect(trust.stateOf(server)).toBe("untrusted");
  fs.rmdirSync(path.join(world.paths.data, "trust", "files", "x"));
  await trust.trust([server]);
  expect(trust.diagnostics()).toEqual([]);
});
test("an approvals file that cannot be read approves nothing, and says so instead of failing", async () => {
  const { config, trust } = await open();
  await trust.trust([server]);
  fs.rmSync(trust.file);
  fs.mkdirSync(trust.file);
  await config.reload();
  await expect.poll(() => trust.stateOf(server)).toBe("needs_approval");
  expect(trust.diagnostics()).toMatchObject([{ code: "trust-broken", path: trust.file }]);
  expect((await open()).trust.stateOf(server)).toBe("needs_approval");
});

test("two hosts that approve at once keep both approvals", async () => {
  const [one, two] = [await open(), await open()];
  await one.trust.trust([server]);
  await two.config.reload();
  const more = ["b", "c", "d", "e"].map((name) => ({ id: `mcp:workspace/${name}`, digest: name }));
  await Promise.all(more.map((next, index) => (index % 2 ? one : two).trust.approve(next)));
  const fresh = (await open()).trust;
  expect([server, ...more].map((next) => fresh.stateOf(next))).toEqual(Array(5).fill("approved"));
});

test("approvals of another workspace count nothing here, though their file bears this one's name", async () => {
  const { trust } = await open();
  await trust.trust([server]);
  const text = fs.readFileSync(trust.file, "utf8");
  fs.writeFileSync(trust.file, text.replace(JSON.stringify(world.workspace), '"/elsewhere"'));
  const fresh = (await open()).trust;
  expect(fresh.stateOf(server)).toBe("needs_approval");
  expect(fresh.diagnostics()).toMatchObject([{ code: "trust-broken", path: trust.file }]);
});
