import { expect, test } from "vitest";
import { appPaths } from "./paths.ts";

test("the defaults lie below the home folder", () => {
  expect(appPaths({}, "/home/u", "linux")).toEqual({
    home: "/home/u",
    config: "/home/u/.config/nacre",
    data: "/home/u/.local/share/nacre",
    cache: "/home/u/.cache/nacre",
    cst: "/home/u/.config/cst-agent",
  });
});
test("XDG homes count where they are absolute", () => {
  const env = { XDG_CONFIG_HOME: "/cfg", XDG_DATA_HOME: "", XDG_CACHE_HOME: "cache" };
  expect(appPaths(env, "/home/u", "linux")).toMatchObject({
    config: "/cfg/nacre",
    cst: "/cfg/cst-agent",
    data: "/home/u/.local/share/nacre",
    cache: "/home/u/.cache/nacre",
  });
});
test("the app's own variables win and leave Hermit's folder where it is", () => {
  const env = {
    NACRE_CONFIG_DIR: "/n/c",
    NACRE_DATA_DIR: "/n/d",
    NACRE_CACHE_DIR: "/n/h",
    XDG_CONFIG_HOME: "/cfg",
  };
  expect(appPaths(env, "/home/u", "linux")).toMatchObject({
    config: "/n/c",
    data: "/n/d",
    cache: "/n/h",
    cst: "/cfg/cst-agent",
  });
});
test("Windows has its own homes", () => {
  const env = { APPDATA: "C:\\Users\\u\\AppData\\Roaming", LOCALAPPDATA: "C:\\Users\\u\\AppData\\Local" };
  expect(appPaths(env, "C:\\Users\\u", "win32")).toMatchObject({
    config: "C:\\Users\\u\\AppData\\Roaming\\nacre",
    data: "C:\\Users\\u\\AppData\\Local\\nacre\\data",
    cst: "C:\\Users\\u\\AppData\\Roaming\\cst-agent",
  });
});
