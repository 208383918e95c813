import path from "node:path";
import type { DeclarationChange } from "../../shared/workspace.ts";
import type { McpDeclaration } from "./config/types.ts";
import type { Foundation } from "./foundation.ts";
import type { Listenable } from "./kit/emitter.ts";
import { lookAt, realPath } from "./kit/files.ts";
import {
  type InstalledFiles,
  installedFiles,
  isAsPlaced,
  placedChanges,
  placedIn,
} from "./installed-plugins.ts";
import type { Fingerprint } from "./policy/digest.ts";
import type { TrustState } from "./policy/trust.ts";
import { UserApprovals } from "./policy/user-approvals.ts";

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
  /** Something waits or is approved that was not, by whomever. */
  readonly onChange: Listenable<void>;
  /** Reads again what installs have written. */
  reload(): Promise<void>;
}
type InstalledHash = (file: string, pointer: readonly string[]) => string | undefined;

export async function createUserTrust({
  paths,
  config,
  workspace,
  diagnostics,
}: Foundation): Promise<UserTrust> {
  const approvals = new UserApprovals({
    file: path.join(paths.data, "trust", "user.json"),
    locks: path.join(paths.data, "locks"),
    servers: path.join(paths.config, "mcp.json"),
  });
  const look = (): void => {
    approvals.read();
    diagnostics.set("user-trust", approvals.diagnostics());
  };
  // Who drafts a server writes that it waits before the server itself: what is read in this order misses no mark.
  config.onRead.on(look);
  let installed: InstalledHash = () => undefined;
  let hash: (value: unknown) => string = () => "";
  let placed: InstalledFiles = new Map();
  const reload = async (): Promise<void> => {
    look();
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
  // By the folder: a name of a plugin is another one's, as folders come and go.
  const idOf = (folder: string): string => `plugin:${realPath(folder)}`;
  return {
    plugins: {
      reload,
      has: (folder) => placedIn(folder, placed) !== undefined,
      stateOf(folder, now) {
        const before = placedIn(folder, placed);
        if (before === undefined || isAsPlaced(before, now)) return "approved";
        return approvals.isApproved(idOf(folder), now.digest) ? "approved" : "needs_approval";
      },
      changesOf: (folder, now) => placedChanges(placedIn(folder, placed) ?? new Map(), now),
      approve: (folder, digest) => approvals.approve(idOf(folder), digest),
    },
    stateOf(declaration, id, digest) {
      // A draft waits until it is agreed to, whatever became of the files that it names.
      if (approvals.waits(id)) return "needs_approval";
      const receipt = installed(declaration.file, ["mcpServers", declaration.name]);
      if (receipt === undefined || receipt === hash(declaration.raw)) return "approved";
      return approvals.isApproved(id, digest) ? "approved" : "needs_approval";
    },
    draft: (id, digest) => approvals.draft(id, digest),
    approve: (id, digest) => approvals.approve(id, digest),
    onChange: approvals.onChange,
    reload,
  };
}
