// Loaded before the app (`node --expose-gc -r`): when it is asked, tells what is held after everything else was collected.
const { renameSync, writeFileSync } = require("node:fs");

process.on("SIGUSR2", () => {
  global.gc?.();
  global.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const file = String(process.env.NACRE_BENCH_MEMORY);
  writeFileSync(`${file}.tmp`, JSON.stringify({ heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20 }));
  renameSync(`${file}.tmp`, file);
});
