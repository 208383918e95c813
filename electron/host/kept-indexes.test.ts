import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { NacreError } from "../../shared/errors.ts";
import { DiagnosticStore } from "./config/diagnostics.ts";
import { keepIndexes, type KeptIndexes } from "./kept-indexes.ts";
import { Emitter } from "./kit/emitter.ts";
import type { Logger } from "./kit/log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface World {
  readonly indexes: KeptIndexes;
  readonly changed: Emitter<void>;
  readonly warnings: string[];
  readonly problems: () => readonly Diagnostic[];
  saves: number;
  isFull: boolean;
}
function world(inWindow: boolean): World {
  const changed = new Emitter<void>();
  const diagnostics = new DiagnosticStore();
  const warnings: string[] = [];
  const log: Logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: (message) => void warnings.push(message),
    error: () => undefined,
    child: () => log,
  };
  const room = {
    onChange: changed,
    async saveIndex() {
      made.saves++;
      if (made.isFull) throw new NacreError("io", "cannot write /cache: ENOSPC");
    },
  };
  const made: World = {
    indexes: keepIndexes({ log, diagnostics }, { skills: room, roles: room }, inWindow),
    changed,
    warnings,
    problems: () => diagnostics.all(),
    saves: 0,
    isFull: false,
  };
  return made;
}

test("a cache folder that cannot be written ends nothing and is told once", async () => {
  const here = world(false);
  here.isFull = true;
  await here.indexes.save();
  await here.indexes.save();
  expect(here.saves).toBe(4);
  expect(here.problems()).toHaveLength(1);
  expect(here.problems()[0]).toMatchObject({ code: "cache-not-written", severity: "warning" });
  expect(here.problems()[0]?.message).toContain("cannot write /cache: ENOSPC");
  expect(here.warnings).toHaveLength(1);
});
test("a window keeps what changed while it is open, several changes at once", async () => {
  const here = world(true);
  here.changed.emit();
  here.changed.emit();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(here.saves).toBe(2);
  here.changed.emit();
  await here.indexes.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(here.saves).toBe(2);
});
test("the command line keeps it at its end alone", async () => {
  const here = world(false);
  here.changed.emit();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(here.saves).toBe(0);
});
