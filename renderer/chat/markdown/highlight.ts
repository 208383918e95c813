/** Above this, in characters, a block stays plain: it would hold the page too long. */
const mostCharacters = 60_000;

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof requestIdleCallback === "function") requestIdleCallback(() => resolve(), { timeout: 1_000 });
    else setTimeout(resolve);
  });
let queue: Promise<unknown> = Promise.resolve();

/**
 * Highlights closed code, one block at a time, when the page has nothing better to do. The highlighter loads with the
 * first block. Null where the code stays plain.
 */
export function highlightWhenIdle(text: string, language: string): Promise<string | null> {
  if (language === "" || text.length > mostCharacters) return Promise.resolve(null);
  const result = queue.then(idle).then(async () => {
    const { highlight } = await import("./highlighter.ts");
    return highlight(text, language);
  });
  queue = result.catch(() => null);
  return result;
}
