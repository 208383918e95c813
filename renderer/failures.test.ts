import { afterEach, expect, test } from "vitest";
import { NacreError } from "../shared/errors.ts";
import { act, dismissFailure, failures, reportFailure } from "./failures.ts";

afterEach(() => failures.value.forEach(({ id }) => dismissFailure(id)));

test("an action that fails is shown with its code and can be dismissed", async () => {
  act(() => Promise.reject(new NacreError("denied", "the grant is spent")));
  await Promise.resolve();
  await Promise.resolve();
  expect(failures.value).toMatchObject([{ code: "denied", message: "the grant is spent" }]);
  dismissFailure(failures.value[0]?.id ?? 0);
  expect(failures.value).toEqual([]);
});

test("the same message is shown once, and no more than three", () => {
  for (const message of ["a", "a", "b", "c", "d"]) reportFailure(new Error(message));
  expect(failures.value.map(({ message }) => message)).toEqual(["b", "c", "d"]);
});
