import fs from "node:fs";
import path from "node:path";
import { NacreError } from "../../../shared/errors.ts";
import type { InstallPlan, InstallStep, Receipt } from "../../../shared/market.ts";
import type { ConfigStore } from "../config/store.ts";
import { takeLock, type Lock } from "../record/session-lock.ts";
import { Journal, type UndoPorts } from "./journal.ts";
import { placeEntry, placeFolder, stage } from "./place.ts";
import type { Placement } from "./plan.ts";
import { receiptOf } from "./receipt-of.ts";
import { fileNameOf, type ReceiptStore } from "./receipts.ts";
import { undoLeftovers } from "./recover.ts";
import { validate } from "./validate.ts";

export interface InstallPorts extends UndoPorts {
  readonly staging: string;
  readonly receipts: ReceiptStore;
  readonly config: Pick<ConfigStore, "updateFile" | "reload">;
  setSecret(name: string, value: string): Promise<void>;
  /** ISO time. */
  now(): string;
  /** Switches on, approves and starts what the receipt names. */
  onInstalled(receipt: Receipt): Promise<void>;
  /** Takes `onInstalled` back, also where that failed halfway. */
  onRemoved(receipt: Receipt): Promise<void>;
}
export interface InstallRequest {
  readonly plan: InstallPlan;
  /** With the answers of the form in it. */
  readonly placement: Placement;
  readonly secrets: readonly { readonly name: string; readonly value: string }[];
  readonly source: string;
  readonly version?: string;
  /** The plan as it would be made now: it has to be what was approved. */
  readonly digestNow: string;
}

/**
 * Puts in place what a plan shows, the receipt last, and starts it. Whatever goes wrong, and an abort at any point,
 * leaves nothing behind; after a kill `recoverInstalls` does the same at the next start.
 * @throws NacreError `already_exists`, `denied`, `invalid_input`, `locked`, `io`; the signal's reason
 */
export async function install(
  request: InstallRequest,
  ports: InstallPorts,
  onStep: (step: InstallStep) => void,
  signal: AbortSignal,
): Promise<Receipt> {
  const { plan, placement } = request;
  const begin = (step: InstallStep): void => {
    signal.throwIfAborted();
    onStep(step);
  };
  signal.throwIfAborted();
  const staging = path.join(ports.staging, fileNameOf(plan.id));
  fs.mkdirSync(staging, { recursive: true });
  const lock = lockStaging(staging, plan.id);
  const receiptFile = ports.receipts.fileOf(plan.id, plan.scope);
  let journal: Journal | undefined;
  let enabling: Receipt | undefined;
  try {
    await undoLeftovers(staging, ports);
    begin("fetch");
    const staged = path.join(staging, "files");
    if (placement.folder) stage(staged, placement.folder.files);
    begin("validate");
    await validate(plan.name, placement);
    begin("plan");
    assertUnchanged(request);
    begin("approval");
    begin("place");
    // Left from what somebody removed by hand; while one stands, an install counts as done.
    fs.rmSync(receiptFile, { force: true });
    journal = Journal.begin(staging, plan.id, receiptFile);
    await journal.note({ secrets: request.secrets.map(({ name }) => name) });
    for (const { name, value } of request.secrets) await ports.setSecret(name, value);
    if (placement.folder) await placeFolder(staged, placement.folder, journal);
    if (placement.entry) await placeEntry(placement.entry, journal, ports.config);
    begin("receipt");
    const receipt = receiptOf(plan, placement, request, ports.now());
    await journal.note({}, [receiptFile]);
    await ports.receipts.write(receipt);
    begin("enable");
    enabling = receipt;
    await ports.onInstalled(receipt);
    signal.throwIfAborted();
    fs.rmSync(staging, { recursive: true, force: true });
    return receipt;
  } catch (error) {
    await takeBack(journal, error, ports);
    if (enabling) await ports.onRemoved(enabling);
    fs.rmSync(staging, { recursive: true, force: true });
    throw error;
  } finally {
    await lock.release();
  }
}

/** Where even that fails, the journal stays for the next start. */
async function takeBack(journal: Journal | undefined, why: unknown, ports: InstallPorts): Promise<void> {
  if (!journal) return;
  try {
    await journal.undo(ports);
  } catch (cause) {
    const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
    const message = `${journal.id} was not installed (${reason(why)}) and not wholly taken back: ${reason(cause)}; the next start of Nacre tries again`;
    throw new NacreError("io", message, { cause: why });
  }
  await ports.config.reload();
}

function lockStaging(staging: string, id: string): Lock {
  try {
    return takeLock(staging);
  } catch (error) {
    if (!(error instanceof NacreError) || error.code !== "locked") throw error;
    const message = `${id} is being installed already: wait until that is done`;
    throw new NacreError("locked", message, { cause: error });
  }
}
function assertUnchanged({ plan, digestNow }: InstallRequest): void {
  if (plan.digest !== digestNow)
    throw new NacreError(
      "denied",
      `not installed: ${plan.id} has changed since it was shown; look at the plan again`,
    );
}
