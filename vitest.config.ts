import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vitest/config";

const define = { __NACRE_VERSION__: JSON.stringify("0.0.0-test") };
export default defineConfig({
  test: {
    // One worker a core: by itself vitest keeps a core free, and the tests wait for processes more than they compute.
    maxWorkers: "100%",
    projects: [
      {
        define,
        test: {
          name: "node",
          environment: "node",
          include: ["{shared,electron,scripts}/**/*.test.ts", "e2e/fixtures/**/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        define,
        plugins: [vue()],
        test: { name: "renderer", environment: "happy-dom", include: ["renderer/**/*.test.ts"] },
      },
    ],
  },
});
