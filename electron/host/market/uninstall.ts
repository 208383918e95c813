import path from "node:path";
import type { Receipt } from "../../../shared/market.ts";
import type { ConfigStore } from "../config/store.ts";
import { parseJsonc } from "../config/jsonc-read.ts";
import { readText } from "../kit/files.ts";
import type { UndoPorts } from "./journal.ts";
import { removeEntry, removeFiles, valueAt } from "./placed.ts";
import type { ReceiptStore } from "./receipts.ts";
import { secretName } from "./variables.ts";

export interface UninstallPorts extends UndoPorts {
  readonly receipts: ReceiptStore;
  readonly config: Pick<ConfigStore, "reload">;
  /** Stops and forgets what the receipt named. */
  onRemoved(receipt: Receipt): Promise<void>;
}
/** A receipt of what is gone, with the places of what the user had changed and what was therefore kept. */
export interface Uninstalled extends Receipt {
  readonly kept: readonly string[];
}

/**
 * Takes away exactly what the receipt lists: entries first, so that nothing starts what is half gone, the receipt last,
 * so that a removal which was cut off can be done again.
 * @throws NacreError `configuration` where a file with an entry does not parse
 */
export async function uninstall(receipt: Receipt, ports: UninstallPorts): Promise<Uninstalled> {
  const kept: string[] = [];
  for (const entry of receipt.entries) {
    const secrets = await ownSecrets(receipt, entry.path, entry.pointer);
    const file = await removeEntry(ports.locks, entry);
    if (file !== undefined) kept.push(file);
    for (const name of secrets) await ports.removeSecret(name);
  }
  const root = rootOf(receipt);
  if (root !== undefined) kept.push(...removeFiles(root, receipt.files));
  ports.receipts.remove(receipt.id, receipt.scope);
  await ports.config.reload();
  await ports.onRemoved(receipt);
  return { ...receipt, kept };
}
/** The folder that was placed: the one of the receipt's name above its files. */
function rootOf({ files, name }: Receipt): string | undefined {
  let folder = files[0] && path.dirname(files[0].path);
  while (folder !== undefined && path.basename(folder) !== name) {
    const above = path.dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return folder ?? (files[0] && path.dirname(files[0].path));
}
/** The names in the secret store that the install of this server has made. */
async function ownSecrets(receipt: Receipt, file: string, pointer: readonly string[]): Promise<string[]> {
  const parsed = await parseJsonc(readText(file) ?? "");
  const text = parsed.ok ? JSON.stringify(valueAt(parsed.value, pointer) ?? null) : "";
  const names = [...text.matchAll(/\$\{secret:([\w./-]+)\}/g)].map((match) => match[1] ?? "");
  return names.filter((name) => name.startsWith(secretName(receipt.name, "")));
}
