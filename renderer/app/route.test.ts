import { expect, test } from "vitest";
import { navigate, parseRoute, routeHash, useRoute, watchAddress } from "./route.ts";

test.each([
  ["", { room: "chat", id: null }],
  ["#/chat", { room: "chat", id: null }],
  ["#/chat/20261130-1", { room: "chat", id: "20261130-1" }],
  ["#/market/builtin%3Amcp%2Ffiles", { room: "market", id: "builtin:mcp/files" }],
  ["#/settings/mcp", { room: "settings", id: "mcp" }],
  ["#/settings/%", { room: "settings", id: "%" }],
  ["#/nowhere/x", { room: "chat", id: null }],
  ["#token=abc", { room: "chat", id: null }],
])("%s", (hash, route) => expect(parseRoute(hash)).toEqual(route));

test("a hash and its route are each other's inverse", () => {
  expect(routeHash("chat")).toBe("#/chat");
  const id = "builtin:mcp/files & more#1";
  expect(parseRoute(routeHash("market", id))).toEqual({ room: "market", id });
});

test("the route follows the address and writes it", () => {
  const stop = watchAddress();
  const route = useRoute();
  navigate("settings", "skills");
  expect(location.hash).toBe("#/settings/skills");
  expect(route.value).toEqual({ room: "settings", id: "skills" });
  history.replaceState(null, "", "#/market");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  expect(route.value).toEqual({ room: "market", id: null });
  stop();
  history.replaceState(null, "", "#/chat");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
  expect(route.value.room).toBe("market");
});
