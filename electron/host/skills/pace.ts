/** ms of work after which others get their turn (performance, What follows). */
const longestStretch = 8;

/** Asked between pieces of long work: a promise where the thread was held long enough, to be awaited. */
export function createPace(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longestStretch) return undefined;
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now();
        resolve();
      });
    });
  };
}
