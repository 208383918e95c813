import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules of WCAG that the page breaks, by axe. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    interface Axe {
      run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
    }
    const result = await (Reflect.get(window, "axe") as Axe).run();
    return result.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 120) ?? ""}`);
  });
}
