import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";
import type { JsonObject } from "../../shared/json.ts";
import type { McpTemplateRow } from "../../shared/mcp.ts";
import type { SkillInvocation } from "../../shared/skills.ts";
import type { CommandRow } from "../../shared/workspace.ts";
import { useRpc } from "../rpc.ts";
import { useChat } from "./store.ts";
import { typedForForm, type TypedForForm } from "./typed-arguments.ts";

/** What a form asks for: the arguments of a skill, of a prompt of a server, or the variables of an address. */
export interface Invocation extends SkillInvocation {
  /** A slash command that gives a prompt of a server, or one of the app. */
  readonly command?: CommandRow;
  /** What is filled in becomes a mention, in the place of what was typed for it. */
  readonly template?: { readonly row: McpTemplateRow; readonly from: number; readonly to: number };
}
/** A skill that is about to run, with what was filled in so far. */
export interface OpenSkill {
  readonly invocation: Invocation;
  /** What the arguments are followed by, as it was when the form opened. */
  readonly first: string;
  readonly text: string;
  readonly values: JsonObject;
  readonly wrong: TypedForForm["wrong"];
  readonly unread: TypedForForm["unread"];
  /** What the draft began with, before `first`. */
  readonly lead: string;
}

/** What was filled in when a form was closed. */
interface Kept {
  readonly id: string;
  /** What was typed behind the skill's name. */
  readonly rest: string;
  readonly values: JsonObject;
}

/**
 * The form of a skill's arguments, one for each chat. It lives on while an approval takes its place; values of a form that
 * was closed are there again when it is opened again for the same draft.
 */
export const useSkillForm = defineStore("skill-form", () => {
  const rpc = useRpc();
  const chat = useChat();
  const forms = shallowRef<ReadonlyMap<string | null, OpenSkill>>(new Map());
  const kept = new Map<string | null, Kept>();
  const open = computed(() => forms.value.get(chat.sessionId) ?? null);
  const put = (id: string | null, form: OpenSkill | null): void => {
    const next = new Map(forms.value);
    if (form) next.set(id, form);
    else next.delete(id);
    forms.value = next;
  };

  const ask = (name: string): Promise<SkillInvocation> =>
    rpc.call("skills.invocation", { name, sessionId: chat.sessionId });
  /** `rest` is what was typed behind the name: values that it gives are filled in. */
  const show = (invocation: Invocation, rest: string, lead: string): void => {
    const { values, ...typed } = typedForForm(invocation.schema, rest);
    const before = kept.get(chat.sessionId);
    const isSame = before?.id === invocation.id && before.rest === typed.text.trim();
    put(chat.sessionId, {
      invocation,
      first: typed.text,
      ...typed,
      values: { ...(isSame ? before.values : {}), ...values },
      lead,
    });
  };
  const change = (part: Partial<Pick<OpenSkill, "text" | "values">>): void => {
    if (open.value) put(chat.sessionId, { ...open.value, ...part });
  };
  /** Closes it; values stay known to the draft that is left. */
  const close = (): void => {
    const form = open.value;
    if (!form) return;
    kept.set(chat.sessionId, { id: form.invocation.id, rest: form.text.trim(), values: form.values });
    put(chat.sessionId, null);
  };
  /** The draft is spent or given up, and with it what was filled in for it. */
  const forget = (): void => void kept.delete(chat.sessionId);
  return { open, ask, show, change, close, forget };
});
