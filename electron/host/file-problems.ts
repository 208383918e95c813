import type { Diagnostic } from "../../shared/diagnostic.ts";
import type { Foundation } from "./foundation.ts";
import type { Dispose } from "./kit/disposable.ts";
import type { Rooms } from "./rooms.ts";
import { cutNotice, type CatalogCut } from "./skills/catalog.ts";

/** Keeps the list of problems as the rooms of files see them, however they came to look again. */
export interface FileProblems {
  /** Tells what is known now, for who waits for it. */
  tell(): void;
  readonly stop: Dispose;
}

/**
 * What is wrong in the files of skills, plugins and roles, and what the model is not shown of the skills. Told with
 * each change of a room: many changes in one turn of the event loop are told once.
 */
export function fileProblems(
  { diagnostics, options }: Pick<Foundation, "diagnostics" | "options">,
  { skills, plugins, roles }: Pick<Rooms, "skills" | "plugins" | "roles">,
): FileProblems {
  let scheduled: NodeJS.Immediate | undefined;
  const cancel = (): void => {
    clearImmediate(scheduled);
    scheduled = undefined;
  };
  const tell = (): void => {
    cancel();
    diagnostics.set("plugins", plugins.diagnostics());
    diagnostics.set("roles", roles.diagnostics());
    const { cut } = skills.catalog(options.role);
    diagnostics.set("skills", [...skills.diagnostics(), ...(cut ? [cutDiagnostic(cut)] : [])]);
  };
  // Behind what others do with the same change: the catalog of thousands of skills takes its time.
  const later = (): void => {
    scheduled ??= setImmediate(() => {
      scheduled = setImmediate(tell);
    });
  };
  const listening = [skills.onChange.on(later), plugins.onChange.on(later), roles.onChange.on(later)];
  return {
    tell,
    async stop() {
      cancel();
      for (const stop of listening) await stop();
    },
  };
}

/** Descriptions that are too long by themselves are no full catalog: nothing has to be switched off for them. */
const cutDiagnostic = (cut: CatalogCut): Diagnostic => ({
  severity: "info",
  message: cutNotice(cut),
  ...(cut.isFull
    ? { code: "skills-catalog-cut" }
    : {
        code: "skills-description-cut",
        fix: `shorten them to ${cut.limit} characters, what matters first`,
      }),
});
