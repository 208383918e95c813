import { computed, shallowRef, type ComputedRef } from "vue";

/** Text of a skill's file that somebody has changed here and not saved. */
export interface SkillDraft {
  readonly text: string;
  /** Of the file that was changed, so that a save overwrites nothing else. */
  readonly digest: string;
}
const prefix = "nacre.skill-draft.";
const isDraft = (value: unknown): value is SkillDraft =>
  typeof value === "object" &&
  value !== null &&
  typeof Reflect.get(value, "text") === "string" &&
  typeof Reflect.get(value, "digest") === "string";

function stored(): ReadonlyMap<string, SkillDraft> {
  const found = new Map<string, SkillDraft>();
  for (let at = 0; at < localStorage.length; at += 1) {
    const key = localStorage.key(at);
    const text = key?.startsWith(prefix) ? localStorage.getItem(key) : null;
    if (key === null || text === null) continue;
    try {
      const value: unknown = JSON.parse(text);
      if (isDraft(value)) found.set(key.slice(prefix.length), value);
    } catch {
      // Somebody else's entry of that name is no draft of ours.
    }
  }
  return found;
}

let drafts: ReturnType<typeof shallowRef<ReadonlyMap<string, SkillDraft>>> | undefined;
const all = () => (drafts ??= shallowRef(stored()));

/** Unsaved texts by the key of their row; they outlive the tab, a reload and a restart. */
export const skillDrafts: ComputedRef<ReadonlyMap<string, SkillDraft>> = computed(
  () => all().value ?? new Map<string, SkillDraft>(),
);

/** Keeps an unsaved text; null forgets it. */
export function keepDraft(key: string, draft: SkillDraft | null): void {
  const next = new Map(skillDrafts.value);
  if (draft) {
    next.set(key, draft);
    localStorage.setItem(prefix + key, JSON.stringify(draft));
  } else {
    next.delete(key);
    localStorage.removeItem(prefix + key);
  }
  all().value = next;
}
