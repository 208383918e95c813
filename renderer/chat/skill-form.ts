import { defineStore } from "pinia";
import { computed, shallowRef } from "vue";
import type { JsonObject } from "../../shared/json.ts";
import { parseArguments } from "../../shared/skill-arguments-text.ts";
import type { SkillInvocation } from "../../shared/skills.ts";
import { useRpc } from "../rpc.ts";
import { useChat } from "./store.ts";

/** A skill that is about to run, with what was filled in so far. */
export interface OpenSkill {
  readonly invocation: SkillInvocation;
  /** What the arguments are followed by, as it was when the form opened. */
  readonly first: string;
  readonly text: string;
  readonly values: JsonObject;
  /** What the draft began with, before `first`. */
  readonly lead: string;
}

/**
 * The form of a skill's arguments, one for each chat. It lives on while an approval takes its place; values of a form that
 * was closed are there again when it is opened again, until it ran.
 */
export const useSkillForm = defineStore("skill-form", () => {
  const rpc = useRpc();
  const chat = useChat();
  const forms = shallowRef<ReadonlyMap<string | null, OpenSkill>>(new Map());
  const kept = new Map<string, JsonObject>();
  const keyOf = ({ invocation }: OpenSkill): string => `${chat.sessionId ?? ""} ${invocation.id}`;
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
  const show = (invocation: SkillInvocation, rest: string, lead: string): void => {
    const { schema } = invocation;
    const typed = schema === null ? null : parseArguments(schema, rest);
    const text = typed ? typed.text : rest;
    const form: OpenSkill = { invocation, first: text, text, values: {}, lead };
    put(chat.sessionId, { ...form, values: { ...kept.get(keyOf(form)), ...typed?.values } });
  };
  const change = (part: Partial<Pick<OpenSkill, "text" | "values">>): void => {
    if (open.value) put(chat.sessionId, { ...open.value, ...part });
  };
  /** Closes it; values stay known unless it ran. */
  const close = (ran: boolean): void => {
    const form = open.value;
    if (!form) return;
    if (ran) kept.delete(keyOf(form));
    else kept.set(keyOf(form), form.values);
    put(chat.sessionId, null);
  };
  return { open, ask, show, change, close };
});
