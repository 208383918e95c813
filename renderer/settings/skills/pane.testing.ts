import { flushPromises, type VueWrapper } from "@vue/test-utils";

/** Presses the button of that name, or of that accessible name. */
export async function press(wrapper: VueWrapper, name: string): Promise<void> {
  const found = wrapper
    .findAll("button")
    .find((one) => one.text() === name || one.attributes("aria-label") === name);
  if (!found) throw new Error(`no button ${name} in ${wrapper.text()}`);
  await found.trigger("click");
  await flushPromises();
}
/** The same on the page: dialogs stand outside of their component. */
export async function pressOnPage(name: string): Promise<void> {
  const found = [...document.querySelectorAll("button")].find(
    (one) => one.textContent?.trim() === name || one.getAttribute("aria-label") === name,
  );
  if (!found) throw new Error(`no button ${name} on the page`);
  found.click();
  await flushPromises();
}
