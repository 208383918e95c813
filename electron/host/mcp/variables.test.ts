import { describe, expect, it } from "vitest";
import { expand, secretNames, soundsSecret, type Expansion } from "./variables.ts";

const values: Record<string, string> = { HOME: "/home/u", EMPTY: "", API_TOKEN: "t0ken" };
const sources = {
  variable: (name: string) => values[name],
  secret: (name: string) => (name === "gh" ? "s3cret" : undefined),
};
const run = (text: string): { text: string } & Expansion => {
  const expansion: Expansion = { missing: [], secrets: [] };
  return { text: expand(text, sources, expansion), ...expansion };
};

describe("variables", () => {
  it.each([
    ["plain", "plain", []],
    ["${HOME}/x", "/home/u/x", []],
    ["${env:HOME}", "/home/u", []],
    ["${GONE:-d}", "d", []],
    ["${GONE:-}", "", []],
    ["${EMPTY}", "", []],
    ["${EMPTY:-d}", "d", []],
    ["--k=${GONE}", "--k=${GONE}", ["GONE"]],
    ["${GONE} ${GONE} ${B}", "${GONE} ${GONE} ${B}", ["GONE", "B"]],
    ["${GONE:-http://a:1/b}", "http://a:1/b", []],
    ["$HOME ${} ${1} {HOME}", "$HOME ${} ${1} {HOME}", []],
    ["${secret:gone}", "${secret:gone}", ["secret:gone"]],
    ["${secret:mcp/my server/K}", "${secret:mcp/my server/K}", ["secret:mcp/my server/K"]],
    ["${secret:gone:-d}", "d", []],
  ])("expands %j", (text, expected, missing) => {
    expect(run(text)).toMatchObject({ text: expected, missing });
  });
  it("reports what is to be masked", () => {
    expect(run("Bearer ${API_TOKEN} ${HOME} ${secret:gh}")).toMatchObject({
      text: "Bearer t0ken /home/u s3cret",
      secrets: ["t0ken", "s3cret"],
    });
    expect(soundsSecret("PATH")).toBe(false);
  });
  it("never expands what a value holds", () => {
    const expansion: Expansion = { missing: [], secrets: [] };
    const nested = { variable: () => "${HOME}", secret: () => undefined };
    expect(expand("${A}", nested, expansion)).toBe("${HOME}");
  });
  it("lists secrets", () => {
    expect(secretNames("a ${secret:x/y} ${HOME} ${secret:z:-d}")).toEqual(["x/y", "z"]);
  });
});
