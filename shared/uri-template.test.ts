import { expect, test } from "vitest";
import { expandTemplate, neededVariables } from "./uri-template.ts";

// RFC 6570, 1.2 and 3.2: the examples whose values are texts.
const values = { var: "value", hello: "Hello World!", path: "/foo/bar", x: "1024", y: "768", empty: "" };
test.each([
  ["{var}", "value"],
  ["{hello}", "Hello%20World%21"],
  ["{+hello}", "Hello%20World!"],
  ["{+path}/here", "/foo/bar/here"],
  ["X{#hello}", "X#Hello%20World!"],
  ["map?{x,y}", "map?1024,768"],
  ["X{.var}", "X.value"],
  ["{/var,x}/here", "/value/1024/here"],
  ["{;x,y}", ";x=1024;y=768"],
  ["{?x,y}", "?x=1024&y=768"],
  ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
  ["{var:3}", "val"],
  ["{?x,gone}", "?x=1024"],
  ["a{?gone}", "a"],
  ["demo://{path}", "demo://%2Ffoo%2Fbar"],
])("%s", (template, address) => {
  expect(expandTemplate(template, values)).toBe(address);
});
test("what an address cannot do without has to be filled in; a query has not", () => {
  expect(neededVariables("db://{table}/{+row}{?limit,table}")).toEqual(["table", "row"]);
});
