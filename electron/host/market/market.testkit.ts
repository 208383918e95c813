import fs from "node:fs";
import path from "node:path";
import type { Receipt } from "../../../shared/market.ts";
import { ConfigStore } from "../config/store.ts";
import type { AppPaths } from "../config/types.ts";
import { Market, type MarketOptions } from "./market.ts";
import type { UndoPorts } from "./journal.ts";

/** A computer in a folder: home, config, data and one workspace. */
export interface TestWorld {
  readonly root: string;
  readonly workspace: string;
  readonly paths: AppPaths;
}
export function worldIn(root: string): TestWorld {
  const at = (name: string): string => path.join(root, name);
  const paths = {
    home: at("home"),
    config: at("config"),
    data: at("data"),
    cache: at("cache"),
    cst: at("home/cst"),
  };
  for (const folder of ["home", "workspace"]) fs.mkdirSync(at(folder), { recursive: true });
  return { root: fs.realpathSync(root), workspace: at("workspace"), paths };
}
/** A secret store in a file, so that another process finds what this one kept. */
export function fileSecrets({
  root,
}: TestWorld): MarketOptions["secrets"] & { all(): Record<string, string> } {
  const file = path.join(root, "keyring.json");
  const all = (): Record<string, string> =>
    fs.existsSync(file) ? (JSON.parse(fs.readFileSync(file, "utf8")) as Record<string, string>) : {};
  const write = (value: Record<string, string>): void => {
    if (Object.keys(value).length === 0) fs.rmSync(file, { force: true });
    else fs.writeFileSync(file, JSON.stringify(value));
  };
  return {
    all,
    probe: () => Promise.resolve("keyring"),
    set: (name, value) => Promise.resolve(write({ ...all(), [name]: value })),
    remove(name) {
      const { [name]: _gone, ...rest } = all();
      return Promise.resolve(write(rest));
    },
  };
}
export async function marketIn(
  world: TestWorld,
  more: Partial<MarketOptions> = {},
): Promise<{ market: Market; config: ConfigStore; installed: Receipt[]; removed: Receipt[] }> {
  const installed: Receipt[] = [];
  const removed: Receipt[] = [];
  const config = await ConfigStore.open({ workspace: world.workspace, paths: world.paths });
  const market = new Market({
    config,
    secrets: fileSecrets(world),
    clock: { now: () => Date.UTC(2026, 0, 1) },
    env: process.env,
    onInstalled: (receipt) => Promise.resolve(void installed.push(receipt)),
    onRemoved: (receipt) => Promise.resolve(void removed.push(receipt)),
    onDiagnostics: () => undefined,
    ...more,
  });
  return { market, config, installed, removed };
}
export const undoPortsOf = (world: TestWorld): UndoPorts => ({
  locks: path.join(world.paths.data, "locks"),
  removeSecret: (name) => fileSecrets(world).remove(name),
});
/** Every folder and file below a folder but the file locks, files with their text. */
export function treeOf({ root }: TestWorld): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const item of fs.readdirSync(root, { withFileTypes: true, recursive: true })) {
    const file = path.join(item.parentPath, item.name);
    const name = path.relative(root, file).replaceAll(path.sep, "/");
    if (/^data(\/locks(\/|$)|$)/.test(name)) continue;
    tree[name] = item.isFile() ? fs.readFileSync(file, "utf8") : "";
  }
  return tree;
}
