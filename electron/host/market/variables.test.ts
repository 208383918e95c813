import { expect, test } from "vitest";
import type { PlanVariable } from "../../../shared/market.ts";
import { resolveVariables } from "./variables.ts";

const variable = (key: string, more: Partial<PlanVariable> = {}): PlanVariable => ({
  key,
  required: false,
  secret: false,
  ...more,
});
const token = variable("TOKEN", { required: true, secret: true });

test("plain values, defaults and what was left out", () => {
  const asked = [
    variable("A"),
    variable("B", { default: "b" }),
    variable("C"),
    variable("D", { default: "d" }),
  ];
  expect(resolveVariables(asked, { A: "a", D: "" }, "x", false).written).toEqual({ A: "a", B: "b", D: "d" });
});
test("a secret goes into the store, its reference into the file", () => {
  expect(resolveVariables([token], { TOKEN: "s3cret" }, "github", true)).toEqual({
    written: { TOKEN: "${secret:mcp/github/TOKEN}" },
    secrets: [{ name: "mcp/github/TOKEN", value: "s3cret" }],
  });
});
test("a reference to the environment is written as it is", () => {
  for (const store of [true, false])
    expect(resolveVariables([token], { TOKEN: "${MY_TOKEN}" }, "x", store)).toEqual({
      written: { TOKEN: "${MY_TOKEN}" },
      secrets: [],
    });
});
test("without a store a secret is refused with the way out, also one that only holds a reference", () => {
  for (const value of ["s3cret", "${A}${B}", "x${A}", "${A:-s3cret}"])
    expect(() => resolveVariables([token], { TOKEN: value }, "x", false)).toThrow("--set TOKEN=${TOKEN}");
});
test("what is missing is named, all of it", () => {
  expect(() => resolveVariables([token, variable("URL", { required: true })], {}, "x", true)).toThrow(
    "x needs TOKEN, URL: give --set TOKEN=VALUE --set URL=VALUE",
  );
});
test("a key that was not asked is refused", () => {
  expect(() => resolveVariables([variable("A")], { PATH: "/evil" }, "x", true)).toThrow(
    "x does not ask for PATH; it asks for A",
  );
});
