// Two doors that must stay single: rendered HTML and links that leave the app. oxlint does not see Vue templates.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

const root = path.join(import.meta.dirname, "..");
const rules = [
  {
    word: /\bv-html\b|\binnerHTML\b|\binsertAdjacentHTML\b/,
    allowed: "renderer/chat/RenderedHtml.vue",
    what: "HTML from text",
  },
  { word: /\bopenExternal\b/, allowed: "electron/shell/open-link.ts", what: "a link out of the app" },
];
let failures = 0;
for (const folder of ["shared", "electron", "renderer"]) {
  for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(ts|vue)$/.test(entry.name) || entry.name.endsWith(".test.ts")) continue;
    const file = path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, "/");
    readFileSync(path.join(root, file), "utf8")
      .split("\n")
      .forEach((line, index) => {
        for (const { word, allowed, what } of rules) {
          if (file === allowed || !word.test(line) || /^\s*(\/\/|\*|<!--)/.test(line)) continue;
          console.error(`${file}:${index + 1}: ${what} belongs into ${allowed} alone`);
          failures += 1;
        }
      });
  }
}
process.exitCode = failures > 0 ? 1 : 0;
