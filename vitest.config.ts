import vue from "@vitejs/plugin-vue";
import { defineConfig } from "vitest/config";

const define = { __NACRE_VERSION__: JSON.stringify("0.0.0-test") };
export default defineConfig({
  test: {
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
