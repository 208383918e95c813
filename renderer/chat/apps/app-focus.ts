import { onScopeDispose } from "vue";

/**
 * Gives the focus back where an app takes it by itself: a page could have what is typed next. It keeps it where the person
 * points at it or came by the Tab key.
 */
export function useFocusGuard(frame: () => HTMLIFrameElement | null): void {
  let last: Element | null = null;
  let pointed = false;
  let tabbed = false;
  const focused = (event: FocusEvent): void => {
    if (event.target instanceof Element && event.target !== frame()) last = event.target;
  };
  const pointer = (event: PointerEvent): void => void (pointed = event.target === frame());
  const key = (event: KeyboardEvent): void => void (tabbed = event.key === "Tab");
  const keyEnd = (): void => void (tabbed = false);
  const lost = (): void => {
    if (document.activeElement !== frame() || pointed || tabbed) return;
    if (last instanceof HTMLElement && last.isConnected) last.focus();
    else frame()?.blur();
  };
  document.addEventListener("focusin", focused);
  document.addEventListener("pointerover", pointer);
  document.addEventListener("keydown", key, true);
  document.addEventListener("keyup", keyEnd, true);
  addEventListener("blur", lost);
  onScopeDispose(() => {
    document.removeEventListener("focusin", focused);
    document.removeEventListener("pointerover", pointer);
    document.removeEventListener("keydown", key, true);
    document.removeEventListener("keyup", keyEnd, true);
    removeEventListener("blur", lost);
  });
}
