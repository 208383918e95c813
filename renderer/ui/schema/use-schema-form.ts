import { computed, ref, shallowRef, toRaw, watch, type Ref } from "vue";
import { validateSchema, type JsonSchema } from "../../../shared/json-schema.ts";
import { canonicalJson, isObject, type JsonObject } from "../../../shared/json.ts";
import type { Field } from "./fields.ts";
import { schemaFields } from "./fields.ts";
import type { FormContext } from "./form-context.ts";
import { askedFields, fieldProblem, type Problem } from "./problem.ts";
import { fieldKey, valueAt, withDefaults, withValue } from "./values.ts";

/** So many fields are drawn at once; more on demand. */
const page = 60;

/** Beyond one page, what must be filled in comes first. */
const ordered = (fields: readonly Field[]): readonly Field[] =>
  fields.length <= page
    ? fields
    : [...fields.filter(({ required }) => required), ...fields.filter(({ required }) => !required)];
/**
 * A group that holds what is no object is one field of JSON, so that the value is kept and told as wrong. It stays one
 * while the form is open: parts of a group would take the place of what is being corrected.
 */
function asItIsHeld(field: Field, values: JsonObject): Field {
  const held = valueAt(values, field.path) ?? {};
  if (field.kind !== "group" || isObject(held)) return field;
  const { fields: _parts, ...common } = field;
  return { ...common, kind: "json" };
}
/** An equal schema draws the same fields; one that is too deep to compare is another one. */
function same(one: JsonSchema, other: JsonSchema): boolean {
  try {
    return canonicalJson(one) === canonicalJson(other);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The state of a form over a schema: its fields, what a person has changed, what is wrong where. `values` gets the
 * defaults, and what was typed is kept when the schema becomes another one.
 */
export function useSchemaForm(schema: () => JsonSchema, model: Ref<JsonObject>, prefix: string) {
  const current = shallowRef(toRaw(schema()));
  /** What the form holds: the model follows after a round by its owner, and several fields may change at once. */
  const values = shallowRef(toRaw(model.value));
  const tell = (next: JsonObject): void => {
    values.value = next;
    model.value = next;
  };
  watch(model, (next) => void (values.value = toRaw(next)));
  /** What the form was opened with for this schema. */
  const opened = shallowRef(values.value);
  const fields = computed(() =>
    ordered(schemaFields(current.value)).map((field) => asItIsHeld(field, opened.value)),
  );
  const drawn = ref(page);
  const shown = computed(() => fields.value.slice(0, drawn.value));
  const changed = new Set<string>();
  const left = new Set<string>();
  const brokenAt = new Map<string, Problem>();
  const problems = ref<ReadonlyMap<string, Problem>>(new Map());
  /** What is wrong with the values together, in the validator's words. */
  const together = ref<readonly string[]>([]);

  const wrongWith = (field: Field): Problem | null =>
    brokenAt.get(fieldKey(field)) ?? fieldProblem(field, values.value);
  const judge = (field: Field): void => {
    const key = fieldKey(field);
    const problem = left.has(key) ? wrongWith(field) : null;
    if (!problem && !problems.value.has(key)) return;
    const next = new Map(problems.value);
    if (problem) next.set(key, problem);
    else next.delete(key);
    problems.value = next;
  };
  watch(schema, (given) => {
    const next = toRaw(given);
    if (same(next, current.value)) return;
    current.value = next;
    opened.value = values.value;
    drawn.value = page;
    left.clear();
    brokenAt.clear();
    problems.value = new Map();
    together.value = [];
    tell(withDefaults(values.value, fields.value, changed));
  });
  const given = values.value;
  tell(withDefaults(given, fields.value));
  // What the form was opened with and is wrong is told at once; what is missing, when it is left.
  for (const field of askedFields(fields.value, given)) {
    if (valueAt(given, field.path) === undefined) continue;
    left.add(fieldKey(field));
    judge(field);
  }

  const context: Omit<FormContext, "secretNote" | "propose"> = {
    prefix,
    valueOf: ({ path }) => valueAt(values.value, path),
    problemOf: (field) => problems.value.get(fieldKey(field)) ?? null,
    set(field, value) {
      changed.add(fieldKey(field));
      tell(withValue(values.value, field.path, value));
      together.value = [];
      judge(field);
    },
    leave(field) {
      left.add(fieldKey(field));
      judge(field);
    },
    broken(field, place) {
      if (place) brokenAt.set(fieldKey(field), { code: "json", values: place });
      else brokenAt.delete(fieldKey(field));
      judge(field);
    },
  };
  /** The whole is judged. Answers the first field that is wrong, drawn by then, or null. */
  const check = (): { readonly ok: boolean; readonly first: Field | null } => {
    const found = new Map<string, Problem>();
    let first: Field | null = null;
    for (const field of askedFields(fields.value, values.value)) {
      left.add(fieldKey(field));
      const problem = wrongWith(field);
      if (!problem) continue;
      found.set(fieldKey(field), problem);
      first ??= field;
    }
    const verdict = found.size === 0 ? validateSchema(current.value, values.value, { foreign: true }) : null;
    together.value =
      verdict?.ok === false
        ? verdict.problems.map(({ property, message }) => `${property} ${message}`.trim())
        : [];
    problems.value = found;
    if (first) {
      const [name] = first.path;
      const at = fields.value.findIndex(({ path }) => path[0] === name);
      drawn.value = Math.max(drawn.value, Math.ceil((at + 1) / page) * page);
    }
    return { ok: found.size === 0 && together.value.length === 0, first };
  };
  return {
    fields,
    shown,
    more: () => void (drawn.value += page),
    together,
    context,
    values,
    check,
  };
}
