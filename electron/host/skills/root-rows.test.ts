import { expect, test } from "vitest";
import { rootRows } from "./root-rows.ts";
import { pluginRoot } from "./roots.ts";

test("a folder that a source names twice, also by a link, is shown and counted once", () => {
  const roots = ["/a", "/a", "/link-to-a", "/b"].map((folder, level) =>
    pluginRoot({ plugin: "p", path: folder, trusted: true }, level),
  );
  const scans = roots.map((root) => {
    const real = root.path === "/b" ? "/b" : "/a";
    return { root, exists: true, real, found: [], others: [], diagnostics: [] };
  });
  const [row] = rootRows(roots, scans, new Map([["/a", 1]]), () => true);
  expect(row?.folders).toEqual([
    { path: "/a", exists: true, count: 1 },
    { path: "/b", exists: true, count: 0 },
  ]);
});
