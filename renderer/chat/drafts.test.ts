import { afterEach, expect, test } from "vitest";
import { effectScope, ref } from "vue";
import { carryDraft, useDraft } from "./drafts.ts";

afterEach(() => localStorage.clear());

test("each chat has its own draft, also after a reload", () => {
  const id = ref<string | null>("a");
  const scope = effectScope();
  const draft = scope.run(() => useDraft(() => id.value));
  if (!draft) throw new Error("the scope did not run");
  draft.value = "for a";
  id.value = "b";
  expect(draft.value).toBe("");
  draft.value = "for b";
  id.value = null;
  expect(draft.value).toBe("");
  id.value = "a";
  expect(draft.value).toBe("for a");
  scope.stop();
  expect(effectScope().run(() => useDraft(() => "b").value)).toBe("for b");
});

test("what is typed while the first message makes its chat goes on there", () => {
  const id = ref<string | null>(null);
  const scope = effectScope();
  const draft = scope.run(() => useDraft(() => id.value));
  if (!draft) throw new Error("the scope did not run");
  draft.value = "hell";
  carryDraft("made");
  id.value = "made";
  expect(draft.value).toBe("hell");
  id.value = null;
  expect(draft.value).toBe("");
  scope.stop();
});

test("an empty draft leaves nothing behind", () => {
  const scope = effectScope();
  const draft = scope.run(() => useDraft(() => "a"));
  if (!draft) throw new Error("the scope did not run");
  draft.value = "x";
  draft.value = "";
  expect(localStorage).toHaveLength(0);
  scope.stop();
});
