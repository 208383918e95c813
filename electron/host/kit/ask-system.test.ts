import { expect, test } from "vitest";
import { askSystem } from "./ask-system.ts";

test("the system answers a process that has started nothing before", () => {
  expect(askSystem(process.execPath, ["-e", "process.stdout.write('here')"])).toBe("here");
});
test("a program that does not start, or fails, has said nothing", () => {
  expect(askSystem("nacre-no-such-program", [])).toBe("");
  expect(askSystem(process.execPath, ["-e", "process.exit(1)"])).toBe("");
});
