// Loaded before the app (`node -r`): tells the longest time that the host's thread was held, once it was asked to begin.
const { monitorEventLoopDelay } = require("node:perf_hooks");
const { writeFileSync } = require("node:fs");

const delay = monitorEventLoopDelay({ resolution: 1 });
process.on("SIGUSR2", () => {
  delay.reset();
  delay.enable();
});
process.on("exit", () => writeFileSync(String(process.env.NACRE_BENCH_DELAY), String(delay.max / 1e6)));
