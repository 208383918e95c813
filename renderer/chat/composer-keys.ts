type Pressed = Pick<KeyboardEvent, "key" | "shiftKey" | "isComposing" | "keyCode">;
export type ComposerAction = "send" | "accept" | "use" | "next" | "previous" | "close" | null;

/**
 * What a key in the composer does; null leaves it to the field. `suggests`: a skill is suggested, which Tab takes. Keys of an input method do nothing: one sends
 * `isComposing`, macOS the key code 229 after it has ended.
 */
export function composerAction(event: Pressed, menuOpen: boolean, suggests = false): ComposerAction {
  if (event.isComposing || event.keyCode === 229) return null;
  if (menuOpen) {
    if (event.key === "ArrowDown") return "next";
    if (event.key === "ArrowUp") return "previous";
    if (event.key === "Tab" || (event.key === "Enter" && !event.shiftKey)) return "accept";
    if (event.key === "Escape") return "close";
  }
  if (suggests && event.key === "Tab" && !event.shiftKey) return "use";
  return event.key === "Enter" && !event.shiftKey ? "send" : null;
}
