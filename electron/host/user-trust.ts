import path from "node:path";
import { isObject } from "../../shared/json.ts";
import type { DeclarationChange } from "../../shared/workspace.ts";
import type { McpDeclaration } from "./config/types.ts";
import type { Foundation } from "./foundation.ts";
import { lookAt, readText, realPath, writeAtomic } from "./kit/files.ts";
import {
  type InstalledFiles,
  installedFiles,
  isAsPlaced,
  placedChanges,
  placedIn,
} from "./installed-plugins.ts";
import type { Fingerprint } from "./policy/digest.ts";
import type { TrustState } from "./policy/trust.ts";

/**
 * What of the user's own files does not count as it stands (spec 2, Trust): a server that a window drafted and nobody has
 * approved yet, and a server or a plugin that came by an install and was changed since its receipt was written.
 */
export interface UserTrust {
  /** The plugins of the user's that installs have brought, by their folder. */
  readonly plugins: {
    /** Reads the receipts again. */
    reload(): Promise<void>;
    has(folder: string): boolean;
    stateOf(folder: string, now: Fingerprint): "needs_approval" | "approved";
    /** What is different from what was installed. */
    changesOf(folder: string, now: Fingerprint): DeclarationChange[];
    /** The person agreed to exactly this. */
    approve(folder: string, digest: string): Promise<void>;
  };
  stateOf(declaration: McpDeclaration, id: string, digest: string): TrustState;
  /** The server was drafted and waits. */
  draft(id: string, digest: string): Promise<void>;
  /** The person agreed to exactly this. */
  approve(id: string, digest: string): Promise<void>;
  /** Reads again what installs have written. */
  reload(): Promise<void>;
}
interface Stored {
  /** Digests that wait, by id. */
  readonly drafts: Readonly<Record<string, string>>;
  /** Digests that were approved although they differ from their receipt, by id. */
  readonly approved: Readonly<Record<string, string>>;
}
type InstalledHash = (file: string, pointer: readonly string[]) => string | undefined;

export async function createUserTrust({ paths, config, workspace }: Foundation): Promise<UserTrust> {
  const file = path.join(paths.data, "trust", "user.json");
  let stored = read(file);
  let installed: InstalledHash = () => undefined;
  let hash: (value: unknown) => string = () => "";
  let placed: InstalledFiles = new Map();
  const write = async (next: Stored): Promise<void> => {
    await writeAtomic(file, `${JSON.stringify(next, null, 2)}\n`);
    stored = next;
  };
  const reload = async (): Promise<void> => {
    stored = read(file);
    // Nothing was ever installed: the marketplace is not loaded for it.
    if (!lookAt(path.join(paths.data, "receipts"))) {
      placed = new Map();
      installed = () => undefined;
      return;
    }
    const [{ ReceiptStore }, { entryHash }, { placesOf }] = await Promise.all([
      import("./market/receipts.ts"),
      import("./market/placed.ts"),
      import("./market/places.ts"),
    ]);
    const { targets } = config.current.settings.market;
    const { receipts } = new ReceiptStore(placesOf({ paths, workspace, targets })).read();
    placed = installedFiles(receipts);
    const hashes = new Map(
      receipts.flatMap(({ entries }) =>
        entries.map(
          (entry) => [JSON.stringify([realPath(entry.path), entry.pointer]), entry.sha256] as const,
        ),
      ),
    );
    hash = entryHash;
    installed = (where, pointer) => hashes.get(JSON.stringify([realPath(where), pointer]));
  };
  await reload();
  const approve = (id: string, digest: string): Promise<void> => {
    const { [id]: _waited, ...drafts } = stored.drafts;
    return write({ drafts, approved: { ...stored.approved, [id]: digest } });
  };
  // By the folder: a name of a plugin is another one's, as folders come and go.
  const idOf = (folder: string): string => `plugin:${realPath(folder)}`;
  return {
    plugins: {
      reload,
      has: (folder) => placedIn(folder, placed) !== undefined,
      stateOf(folder, now) {
        const before = placedIn(folder, placed);
        if (before === undefined || isAsPlaced(before, now)) return "approved";
        return stored.approved[idOf(folder)] === now.digest ? "approved" : "needs_approval";
      },
      changesOf: (folder, now) => placedChanges(placedIn(folder, placed) ?? new Map(), now),
      approve: (folder, digest) => approve(idOf(folder), digest),
    },
    stateOf(declaration, id, digest) {
      // A draft waits until it is agreed to, whatever became of the files that it names.
      if (stored.drafts[id] !== undefined) return "needs_approval";
      const receipt = installed(declaration.file, ["mcpServers", declaration.name]);
      if (receipt === undefined || receipt === hash(declaration.raw)) return "approved";
      return stored.approved[id] === digest ? "approved" : "needs_approval";
    },
    draft: (id, digest) => write({ ...stored, drafts: { ...stored.drafts, [id]: digest } }),
    approve,
    reload,
  };
}

/** A file that does not parse holds nothing: drafts count as the user's own then, as any entry of the file does. */
function read(file: string): Stored {
  const empty: Stored = { drafts: {}, approved: {} };
  const text = readText(file);
  if (text === undefined) return empty;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value)) return empty;
    return { drafts: strings(value["drafts"]), approved: strings(value["approved"]) };
  } catch (error) {
    if (error instanceof SyntaxError) return empty;
    throw error;
  }
}
const strings = (value: unknown): Record<string, string> =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
      )
    : {};
