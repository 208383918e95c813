import { expect, test } from "vitest";
import { changeSide } from "./change-side.ts";

test("arguments are boxes, one each; a command that is one text is one box; everything else is text", () => {
  expect(changeSide("args", '["a b","c"]')).toEqual({ argv: ["a b", "c"] });
  expect(changeSide("tools.count.command", '["sh"]')).toEqual({ argv: ["sh"] });
  expect(changeSide("command", "node x")).toEqual({ argv: ["node x"] });
  expect(changeSide("args", "[1]")).toEqual({ argv: ["[1]"] });
  expect(changeSide("env.args.X", '["a"]')).toEqual({ text: '["a"]' });
  expect(changeSide("url", null)).toBeNull();
});
