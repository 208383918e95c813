import { expect, test } from "vitest";
import { firstMissing, needText, permissionParts } from "./needs.ts";

test.each([
  [{ kind: "docker" }, "docker"],
  [{ kind: "node", need: ">=20" }, "node ≥ 20"],
  [{ kind: "python", need: ">= 3.11" }, "python ≥ 3.11"],
  [{ kind: "chrome", need: "any" }, "chrome any"],
])("%o", (requirement, text) => expect(needText(requirement)).toBe(text));

test("the first that is not there", () => {
  const rows = [
    { kind: "node", ok: true },
    { kind: "docker", ok: false },
    { kind: "uvx", ok: false },
  ];
  expect(firstMissing(rows)?.kind).toBe("docker");
  expect(firstMissing([])).toBeUndefined();
});

test.each([
  ["shell", { perm: "shell", where: "" }],
  ["net:api.github.com:443", { perm: "net", where: "api.github.com:443" }],
])("%s", (permission, parts) => expect(permissionParts(permission)).toEqual(parts));
