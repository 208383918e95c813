/** A hidden page gets no frames; it is brought up to date this often, in ms. */
const hiddenMs = 250;

/**
 * Runs `work` at the next frame, once however often it is asked for until then. `cancel` drops a pending run.
 */
export function oncePerFrame(work: () => void): { ask(): void; cancel(): void } {
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const cancel = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = undefined;
  };
  const run = (): void => {
    cancel();
    work();
  };
  return {
    ask() {
      if (timer !== undefined) return;
      frame = requestAnimationFrame(run);
      timer = setTimeout(run, hiddenMs);
    },
    cancel,
  };
}
