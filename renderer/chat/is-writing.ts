/** What of `input` takes no text. */
const noText = "[type=checkbox], [type=radio], [type=button], [type=submit], [type=range]";

/**
 * Whether somebody writes where the focus is: in any field, in the composer once it holds text. Nothing that comes by
 * itself takes the focus then.
 */
export function isWriting(): boolean {
  const at = document.activeElement;
  if (at instanceof HTMLTextAreaElement) return at.value !== "" || !at.matches("[data-composer]");
  if (at instanceof HTMLInputElement) return !at.matches(noText);
  return at instanceof HTMLElement && at.isContentEditable;
}
