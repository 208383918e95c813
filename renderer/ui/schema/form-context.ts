import { inject, type InjectionKey } from "vue";
import type { Field } from "./fields.ts";
import type { Problem } from "./problem.ts";

/** What a field of a form asks of it. */
export interface FormContext {
  /** Before each id of this form. */
  readonly prefix: string;
  /** What is said beside a secret; undefined where nothing has to be. */
  secretNote(): string | undefined;
  /** Values that somebody proposes for what was typed; none where nobody does. */
  propose(field: Field, typed: string): Promise<readonly string[]>;
  valueOf(field: Field): unknown;
  /** Null where nothing is wrong, or nobody has been there yet. */
  problemOf(field: Field): Problem | null;
  set(field: Field, value: unknown): void;
  /** The person has left it: what is wrong with it may be said. */
  leave(field: Field): void;
  /** Its text is no JSON, at that place (both from 1); null once it is. */
  broken(field: Field, place: { readonly line: number; readonly column: number } | null): void;
}
export const formKey: InjectionKey<FormContext> = Symbol("schema form");

export function useForm(): FormContext {
  const form = inject(formKey);
  if (!form) throw new Error("a field of a schema stands in a SchemaForm");
  return form;
}
