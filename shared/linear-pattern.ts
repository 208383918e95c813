/**
 * Regular expressions from elsewhere, matched without a regular expression engine: a backtracking one can take years for
 * thirty characters (`^(a+)+$`). A set of places in the pattern is carried along the text (Thompson 1968), so that the
 * work is the pattern's size times the text's, never more.
 */

/** Each of these bounds the work; beyond, there is no answer. */
const longestPattern = 1_000;
const mostSteps = 1_000;
const mostWork = 2_000_000;

type Step =
  | { readonly op: "character"; readonly is: RegExp }
  | { readonly op: "edge"; readonly is: (before: string, after: string) => boolean }
  | { readonly op: "fork"; readonly to: readonly number[] }
  | { readonly op: "match" };
/** Writes itself from a place on, and answers the place after itself. */
type Part = (steps: Step[], at: number) => void;

class Unsupported extends Error {
  override name = "Unsupported";
}
const isWord = (character: string): boolean => /^\w$/.test(character);
const edges: Readonly<Record<string, (before: string, after: string) => boolean>> = {
  "^": (before) => before === "",
  $: (_before, after) => after === "",
  "\\b": (before, after) => isWord(before) !== isWord(after),
  "\\B": (before, after) => isWord(before) === isWord(after),
};
const none: Part = () => undefined;
const sequence =
  (parts: readonly Part[]): Part =>
  (steps) =>
    parts.forEach((part) => emit(steps, part));
const emit = (steps: Step[], part: Part): void => {
  if (steps.length > mostSteps) throw new Unsupported();
  part(steps, steps.length);
};
const step =
  (one: Step): Part =>
  (steps) =>
    void steps.push(one);
const either =
  (forms: readonly Part[]): Part =>
  (steps, at) => {
    steps.push({ op: "fork", to: [] });
    const starts: number[] = [];
    const ends: number[] = [];
    for (const form of forms) {
      starts.push(steps.length);
      emit(steps, form);
      ends.push(steps.length);
      steps.push({ op: "fork", to: [] });
    }
    steps[at] = { op: "fork", to: starts };
    for (const end of ends) steps[end] = { op: "fork", to: [steps.length] };
  };
const optional =
  (part: Part, again: boolean): Part =>
  (steps, at) => {
    steps.push({ op: "fork", to: [] });
    emit(steps, part);
    if (again) steps.push({ op: "fork", to: [at] });
    steps[at] = { op: "fork", to: [at + 1, steps.length] };
  };
const repeated = (part: Part, least: number, most: number): Part => {
  if (least > mostSteps || (most !== Infinity && most > mostSteps)) throw new Unsupported();
  const needed = Array.from({ length: least }, () => part);
  if (most === Infinity) return sequence([...needed, optional(part, true)]);
  let rest = none;
  for (let count = least; count < most; count += 1) rest = optional(sequence([part, rest]), false);
  return sequence([...needed, rest]);
};

/** One character: a class, an escape, a point or itself. */
const oneCharacter =
  /^(?:\[(?:\\.|[^\\\]])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\c[a-zA-Z]|\\[^1-9bBkpPux]|[^\\[\](){}*+?|])/u;
const quantifier = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/;
const opening = /^\((?:\?:|\?<[^=!>][^>]*>|(?!\?))/;

function parse(pattern: string): Part {
  let rest = pattern;
  const take = (form: RegExp): RegExpExecArray | null => {
    const found = form.exec(rest);
    if (found) rest = rest.slice(found[0].length);
    return found;
  };
  const atom = (): Part => {
    const edge = take(/^(?:\^|\$|\\[bB])/);
    const is = edge ? edges[edge[0]] : undefined;
    if (is) return step({ op: "edge", is });
    if (take(opening)) {
      const inner = forms();
      if (!take(/^\)/)) throw new Unsupported();
      return inner;
    }
    const one = take(oneCharacter);
    if (!one) throw new Unsupported();
    return step({ op: "character", is: new RegExp(`^${one[0]}$`, "u") });
  };
  const counted = (): Part => {
    const part = atom();
    const count = take(quantifier);
    if (!count) return part;
    const [, sign, least = "", more, most = ""] = count;
    if (sign !== undefined)
      return sign === "?" ? optional(part, false) : repeated(part, sign === "+" ? 1 : 0, Infinity);
    return repeated(
      part,
      Number(least),
      more === undefined ? Number(least) : most === "" ? Infinity : Number(most),
    );
  };
  const form = (): Part => {
    const parts: Part[] = [];
    while (rest !== "" && !/^[|)]/.test(rest)) parts.push(counted());
    return sequence(parts);
  };
  const forms = (): Part => {
    const all = [form()];
    while (take(/^\|/)) all.push(form());
    return all.length === 1 && all[0] ? all[0] : either(all);
  };
  const whole = forms();
  if (rest !== "") throw new Unsupported();
  return whole;
}

function compile(pattern: string): readonly Step[] | null {
  if (pattern.length > longestPattern) return null;
  const steps: Step[] = [];
  try {
    emit(steps, parse(pattern));
  } catch (error) {
    // A class or escape that the engine does not know is no pattern that anything could match.
    if (error instanceof Unsupported || error instanceof SyntaxError) return null;
    throw error;
  }
  steps.push({ op: "match" });
  return steps.length > mostSteps ? null : steps;
}

/**
 * Whether a text holds a match of a pattern (ECMA-262 with the flag `u`, as JSON Schema's `pattern` is read). Null where
 * that is not told here: look-around, references back, a broken pattern, or more work than a key stroke may cost.
 */
export function holdsPattern(pattern: string, text: string): boolean | null {
  const steps = compile(pattern);
  if (steps === null || steps.length * (text.length + 1) > mostWork) return null;
  const characters = Array.from(text);
  let here = new Set<number>();
  for (let at = 0; at <= characters.length; at += 1) {
    const before = characters[at - 1] ?? "";
    const after = characters[at] ?? "";
    const next = new Set<number>();
    const waiting = [...here, 0];
    const seen = new Set<number>();
    for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
      const now = steps[place];
      if (now === undefined || seen.has(place)) continue;
      seen.add(place);
      if (now.op === "match") return true;
      if (now.op === "fork") waiting.push(...now.to);
      else if (now.op === "edge") {
        if (now.is(before, after)) waiting.push(place + 1);
      } else if (after !== "" && now.is.test(after)) next.add(place + 1);
    }
    here = next;
  }
  return false;
}
