import type { ApprovalChoice } from "../../shared/approval.ts";
import { choiceOfKey } from "../../shared/approval-keys.ts";

type Pressed = Pick<KeyboardEvent, "key" | "isComposing" | "keyCode" | "ctrlKey" | "altKey" | "metaKey">;

/** The answer that a key gives, or undefined. Keys of an input method and of shortcuts are none. */
export function answerOfKey(event: Pressed): ApprovalChoice | undefined {
  if (event.isComposing || event.keyCode === 229 || event.ctrlKey || event.altKey || event.metaKey)
    return undefined;
  return choiceOfKey(event.key);
}
