import path from "node:path";
import { expect, test } from "vitest";
import { unpacked } from "./unpacked.ts";

test("what the package keeps out of its archive stands beside it; any other path stays", () => {
  const inside = path.join("/opt", "nacre", "resources", "app.asar", "dist", "node", "skills");
  expect(unpacked(inside)).toBe(inside.replace("app.asar", "app.asar.unpacked"));
  expect(unpacked(unpacked(inside))).toBe(unpacked(inside));
  expect(unpacked(path.join("/src", "dist", "node", "skills"))).toBe(
    path.join("/src", "dist", "node", "skills"),
  );
});
