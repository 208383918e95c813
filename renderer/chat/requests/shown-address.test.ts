import { expect, test } from "vitest";
import { shownAddress } from "./shown-address.ts";

test.each([
  ["https://auth.example.com/authorize?state=1#x", "https://", "auth.example.com", "/authorize?state=1#x"],
  ["HTTPS://Example.COM", "https://", "example.com", "/"],
  ["https://github.com.evil.example/login", "https://", "github.com.evil.example", "/login"],
  ["https://раypal.com/", "https://", "xn--ypal-43d9g.com", "/"],
])("%s is shown as it is opened, its host by itself", (text, before, host, behind) => {
  expect(shownAddress(text)).toEqual({ before, host, behind, isPlain: false });
});
test.each([
  "https://github.com@evil.example/",
  "javascript:alert(1)",
  "file:///etc/passwd",
  "mailto:a@b.c",
  "https://a b.example",
  "",
])("%s is never opened", (text) => {
  expect(shownAddress(text)).toBeNull();
});
test("what can be read on the way is told apart from what stays on this machine", () => {
  expect(shownAddress("http://example.com:80/a")?.isPlain).toBe(true);
  expect(shownAddress("http://127.0.0.1:4000/a")).toMatchObject({ host: "127.0.0.1:4000", isPlain: false });
  expect(shownAddress("http://[::1]:4000/a")?.isPlain).toBe(false);
});
