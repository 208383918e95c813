import fc from "fast-check";
import { expect, it } from "vitest";
import { createIds } from "../kit/clock.ts";
import { idAfter } from "./line-ids.ts";

it("gives the next id as it is where it ascends", () => {
  const ids = { next: () => "b" };
  expect(idAfter("a", ids)).toBe("b");
  expect(idAfter("", ids)).toBe("b");
});
it("ascends also behind a clock that is ahead", () => {
  const ahead = createIds({ now: () => 2_000_000_000_000 });
  const behind = createIds({ now: () => 1_000_000_000_000 });
  let last = ahead.next();
  for (let count = 0; count < 100; count++) {
    const id = idAfter(last, behind);
    expect(id > last).toBe(true);
    expect(id).toMatch(/^[0-9a-z]{17}$/);
    last = id;
  }
});
it("ascends behind anything", () => {
  fc.assert(fc.property(fc.string(), (last) => idAfter(last, { next: () => "0" }) > last));
  expect(idAfter("zzzzzzzzzzzz00000", { next: () => "0" }) > "zzzzzzzzzzzz00000").toBe(true);
  expect(idAfter("0000000000zz00000", { next: () => "00000000000012345" })).toBe("00000000010012345");
});
