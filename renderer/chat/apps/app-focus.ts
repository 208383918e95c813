import { onScopeDispose } from "vue";

/**
 * Gives the focus back where an app takes it by itself: it would have what is typed next. It may have it while the person
 * points at it, or where they came by the Tab key. Browsers tell of a focus that went into a frame late or not at all, so it
 * is looked at with each picture.
 */
export function useAppFocus(frame: () => HTMLIFrameElement | null): void {
  let last: HTMLElement | null = null;
  /** They came into the app, and have not left it since. */
  let entered = false;
  let pointed = false;
  let tabbed = false;
  let asked = 0;
  const pointer = ({ target }: PointerEvent): void => void (pointed = target === frame());
  const key = ({ key: name }: KeyboardEvent): void => {
    tabbed = name === "Tab";
    // Who types is not pointing, wherever the pointer was left.
    pointed = false;
  };
  const look = (): void => {
    asked = requestAnimationFrame(look);
    const own = frame();
    const { activeElement: active } = document;
    if (active === null || active !== own) {
      entered = false;
      if (active instanceof HTMLElement && !(active instanceof HTMLIFrameElement)) last = active;
      return;
    }
    entered ||= pointed || tabbed;
    if (entered) return;
    own.blur();
    if (last?.isConnected) last.focus();
  };
  document.addEventListener("pointermove", pointer);
  document.addEventListener("pointerover", pointer);
  document.addEventListener("keydown", key, true);
  asked = requestAnimationFrame(look);
  onScopeDispose(() => {
    cancelAnimationFrame(asked);
    document.removeEventListener("pointermove", pointer);
    document.removeEventListener("pointerover", pointer);
    document.removeEventListener("keydown", key, true);
  });
}
