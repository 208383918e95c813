let heard = false;

/** Calls back when the terminal hangs up; `endByHangUp` then is how this process has to end. */
export function onHangUp(callback: () => void): void {
  process.on("SIGHUP", () => {
    heard = true;
    callback();
  });
}
/**
 * Ends this process by the signal where the terminal has hung up: at a usual exit Node gives the terminal its old mode
 * back, and aborts where there is none any more. Call it when all is tidied up. Nothing on Windows.
 */
export function endByHangUp(): void {
  if (!heard || process.platform === "win32") return;
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
