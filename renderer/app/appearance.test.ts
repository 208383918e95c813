import { afterEach, expect, test } from "vitest";
import { effectScope, nextTick, ref } from "vue";
import { applyAppearance, followAppearance, lastAppearance } from "./appearance.ts";

const root = document.documentElement;
afterEach(() => {
  localStorage.clear();
  applyAppearance({ theme: "system", locale: "en" });
});

test("a pinned theme and language stand on the page; system leaves the theme to the system", () => {
  expect(applyAppearance({ theme: "dark", locale: "zh" })).toBe("zh");
  expect(root.dataset["theme"]).toBe("dark");
  expect(root.lang).toBe("zh-CN");
  applyAppearance({ theme: "system", locale: "en" });
  expect(root.dataset["theme"]).toBeUndefined();
});

test("a change shows at once and is remembered for the next first paint", async () => {
  const settings = ref<{ theme: "dark" | "light"; locale: "en" | "zh" } | null>(null);
  const spoken: string[] = [];
  const scope = effectScope();
  scope.run(() =>
    followAppearance(
      () => settings.value,
      (locale) => void spoken.push(locale),
    ),
  );
  settings.value = { theme: "dark", locale: "zh" };
  await nextTick();
  expect(spoken).toEqual(["zh"]);
  expect(lastAppearance()).toEqual({ theme: "dark", locale: "zh" });
  scope.stop();
});

test("what is remembered is not trusted", () => {
  localStorage.setItem("nacre.appearance", "neon klingon");
  expect(lastAppearance()).toEqual({ theme: "system", locale: "system" });
});
