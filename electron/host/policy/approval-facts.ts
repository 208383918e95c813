import type { ApprovalFact } from "../../../shared/approval.ts";
import { cutEnd, cutMiddle } from "../../../shared/visible-text.ts";

/** Values of one fact that a card shows, and characters of all of them together. */
const mostValues = 400;
const mostCharacters = 48 * 1024;
/** A cut value still shows this much. */
const leastCharacters = 120;

/**
 * One fact of an approval, short enough to be sent and shown: of too many values, and of too long a value, the middle is
 * left out, of a difference the end; `cut` says how much.
 */
export function factOf(label: ApprovalFact["label"], values: readonly string[]): ApprovalFact {
  const cutText = label === "diff" ? cutEnd : cutMiddle;
  const left = Math.max(0, values.length - mostValues);
  const kept =
    left === 0
      ? values
      : [...values.slice(0, mostValues * 0.75), `⟨… ${left} …⟩`, ...values.slice(-mostValues * 0.25)];
  if (left === 0 && lengthOf(kept) <= mostCharacters) return { label, values };
  const most =
    lengthOf(kept) <= mostCharacters
      ? mostCharacters
      : Math.max(leastCharacters, Math.floor(mostCharacters / kept.length));
  const texts = kept.map((value) => cutText(value, most));
  return {
    label,
    values: texts.map((text) => text.kept),
    cut: {
      values: left,
      characters: texts.reduce((sum, text) => sum + text.left, 0),
    },
  };
}
const lengthOf = (values: readonly string[]): number => values.reduce((sum, { length }) => sum + length, 0);
