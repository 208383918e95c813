// Loaded before the app (`node -r`): tells the longest time that the host's thread was held, once it was asked to begin:
// by SIGUSR2, or by its first look into the folder NACRE_BENCH_FROM. The next SIGUSR2 ends it.
const fs = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");

const delay = monitorEventLoopDelay({ resolution: 1 });
let counts = false;
const begin = () => {
  counts = true;
  delay.reset();
  delay.enable();
};
process.on("SIGUSR2", () => {
  if (counts) delay.disable();
  else begin();
});
const from = process.env.NACRE_BENCH_FROM;
if (from !== undefined) {
  const { readdirSync } = fs;
  fs.readdirSync = new Proxy(readdirSync, {
    apply(target, self, args) {
      if (args[0] === from) {
        fs.readdirSync = readdirSync;
        begin();
      }
      return Reflect.apply(target, self, args);
    },
  });
}
process.on("exit", () => fs.writeFileSync(String(process.env.NACRE_BENCH_DELAY), String(delay.max / 1e6)));
