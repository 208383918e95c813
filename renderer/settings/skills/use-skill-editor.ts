import { computed, shallowRef, type ComputedRef, type Ref } from "vue";
import { NacreError, toErrorValue } from "../../../shared/errors.ts";
import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { SkillRow } from "../../../shared/extension-rows.ts";
import type { SkillInspection } from "../../../shared/skills.ts";
import type { Rpc } from "../../rpc.ts";
import { keepDraft, skillDrafts } from "./skill-drafts.ts";
import { keyOf } from "./skill-status.ts";
import { useAction } from "./use-action.ts";

/** A file that is being edited. */
export interface SkillEditing {
  readonly row: SkillRow;
  /** As it stands in the field. */
  readonly text: string;
  /** As it was read or saved last. */
  readonly base: string;
  readonly digest: string;
  readonly diagnostics: readonly Diagnostic[];
  /** The file as it is now, where somebody else has changed it since. */
  readonly other: { readonly text: string; readonly digest: string } | null;
}
export interface SkillEditor {
  /** Null while nothing is edited. */
  readonly editing: Readonly<Ref<SkillEditing | null>>;
  readonly dirty: ComputedRef<boolean>;
  readonly busy: Readonly<Ref<boolean>>;
  /** Why the last save or read did not work. */
  readonly failure: Readonly<Ref<string>>;
  readonly open: (row: SkillRow) => Promise<boolean>;
  readonly type: (text: string) => void;
  /** Reads the file again, after it may have changed. What was typed stays. */
  readonly refresh: () => Promise<void>;
  /** Answers whether it is saved. */
  readonly save: () => Promise<boolean>;
  /** Takes the file as it is now in place of what was typed. */
  readonly takeOther: () => void;
  /** Saves what was typed over the file as it is now. */
  readonly overwrite: () => Promise<boolean>;
  /** Ends it; what was typed and not saved is gone. */
  readonly close: () => void;
}

/** A field knows line feeds alone (HTML, textarea, API value); the host keeps the ends that the file has. */
const asInField = (text: string): string => text.replaceAll(/\r\n?/g, "\n");

/** Edits one skill's file at a time. What is typed is kept until it is saved or given up. */
export function useSkillEditor(rpc: Rpc): SkillEditor {
  const editing = shallowRef<SkillEditing | null>(null);
  const { busy, failure, run } = useAction();
  const dirty = computed(() => editing.value !== null && editing.value.text !== editing.value.base);

  const set = (next: SkillEditing): void => {
    editing.value = next;
    keepDraft(keyOf(next.row), next.text === next.base ? null : { text: next.text, digest: next.digest });
  };
  const read = async (id: string): Promise<SkillInspection & { readonly text: string }> => {
    const shown = await rpc.call("skills.show", { id });
    const { text } = shown;
    if (text === null)
      throw new NacreError("unavailable", `${shown.name} has no text that can be edited here`);
    return { ...shown, text: asInField(text) };
  };
  /** The file is `shown` now: it is what was typed on, or stands beside it as somebody else's. */
  const compare = (before: SkillEditing, shown: SkillInspection & { readonly text: string }): void => {
    const { row, text, digest } = shown;
    const { diagnostics } = row;
    if (keyOf(row) !== keyOf(before.row)) keepDraft(keyOf(before.row), null);
    if (digest === before.digest) return set({ ...before, row, diagnostics, other: null });
    const untouched = before.text === before.base || before.text === text;
    set(
      untouched
        ? { row, text, base: text, digest, diagnostics, other: null }
        : { ...before, row, diagnostics, other: { text, digest } },
    );
  };
  /** Answers whether it is saved: not where the file is another one than that of `digest`. */
  const write = async (digest: string): Promise<boolean> => {
    const went = await run(async () => {
      const before = editing.value;
      if (!before) return;
      try {
        const row = await rpc.call("skills.write", { id: before.row.id, text: before.text, digest });
        // A changed name is another row.
        keepDraft(keyOf(before.row), null);
        const shown = await read(row.id);
        // What was typed meanwhile stays, on top of what is saved now.
        const { text } = editing.value ?? before;
        set({
          row: shown.row,
          text: text === before.text ? shown.text : text,
          base: shown.text,
          digest: shown.digest,
          diagnostics: shown.row.diagnostics,
          other: null,
        });
      } catch (thrown) {
        const shown = await read(before.row.id).catch(() => null);
        const now = editing.value;
        if (shown && now && shown.digest !== digest) {
          compare(now, shown);
          if (editing.value?.other) return;
        }
        throw thrown;
      }
    });
    return went && editing.value?.other === null;
  };

  return {
    editing,
    dirty,
    busy,
    failure,
    open: (row) =>
      run(async () => {
        const shown = await read(row.id);
        const draft = skillDrafts.value.get(keyOf(row));
        const { text, digest } = shown;
        const fresh: SkillEditing = {
          row: shown.row,
          text,
          base: text,
          digest,
          diagnostics: shown.row.diagnostics,
          other: null,
        };
        if (!draft) return set(fresh);
        const other = draft.digest === digest ? null : { text, digest };
        set({ ...fresh, text: asInField(draft.text), digest: draft.digest, other });
      }),
    type(text) {
      if (editing.value) set({ ...editing.value, text });
    },
    async refresh() {
      const id = editing.value?.row.id;
      if (id === undefined || busy.value) return;
      try {
        const shown = await read(id);
        if (editing.value?.row.id === id) compare(editing.value, shown);
      } catch (thrown) {
        failure.value = toErrorValue(thrown).message;
      }
    },
    async save() {
      return editing.value ? write(editing.value.digest) : false;
    },
    takeOther() {
      const before = editing.value;
      if (!before?.other) return;
      const { text, digest } = before.other;
      set({ ...before, text, base: text, digest, other: null });
    },
    async overwrite() {
      const other = editing.value?.other;
      return other ? write(other.digest) : false;
    },
    close() {
      if (editing.value) keepDraft(keyOf(editing.value.row), null);
      editing.value = null;
      failure.value = "";
    },
  };
}
