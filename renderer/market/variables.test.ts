import { expect, test } from "vitest";
import type { PlanVariable } from "../../shared/market.ts";
import { givenValues, initialValues, missingKeys } from "./variables.ts";

const asked: PlanVariable[] = [
  { key: "REPO", required: true, secret: false },
  { key: "TOKEN", required: true, secret: true },
  { key: "LOCALE", required: false, secret: false, default: "en" },
];

test("the form begins with the defaults and keeps what was typed", () => {
  expect(initialValues(asked)).toEqual({ REPO: "", TOKEN: "", LOCALE: "en" });
  expect(initialValues(asked, { REPO: "a/b", LOCALE: "", OLD: "x" })).toEqual({
    REPO: "a/b",
    TOKEN: "",
    LOCALE: "",
  });
});

test("what is required and empty is missing; what is empty is not sent", () => {
  const values = { REPO: "a/b", TOKEN: "", LOCALE: "" };
  expect(missingKeys(asked, values)).toEqual(["TOKEN"]);
  expect(givenValues(values)).toEqual({ REPO: "a/b" });
  expect(missingKeys([], {})).toEqual([]);
});
