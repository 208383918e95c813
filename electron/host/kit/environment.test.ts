import { describe, expect, it } from "vitest";
import { childEnvironment } from "./environment.ts";

describe("childEnvironment", () => {
  it.each([
    "NACRE_MODEL",
    "NACRE_API_KEY",
    "NODE_OPTIONS",
    "NODE_CHANNEL_FD",
    "ELECTRON_RUN_AS_NODE",
    "npm_config_local_prefix",
    "npm_package_name",
    "npm_lifecycle_event",
    "npm_execpath",
    "INIT_CWD",
  ])("leaves %s out", (name) => {
    expect(childEnvironment({ [name]: "x", PATH: "/bin" })).toEqual({ PATH: "/bin" });
  });

  it.each(["HOME", "HTTPS_PROXY", "NODE_EXTRA_CA_CERTS", "NODE_ENV", "npm_config_registry", "NPM_TOKEN"])(
    "keeps the user's %s",
    (name) => {
      expect(childEnvironment({ [name]: "x" })).toEqual({ [name]: "x" });
    },
  );

  it("puts extra on top, leaves out what is named, skips what is undefined", () => {
    const base = { KEY: "secret", A: "1", B: undefined };
    expect(childEnvironment(base, { extra: { A: "2", NACRE_TOOL: "t" }, drop: ["KEY"] })).toEqual({
      A: "2",
      NACRE_TOOL: "t",
    });
    expect(base).toEqual({ KEY: "secret", A: "1", B: undefined });
  });

  it("knows names in any case on Windows alone", () => {
    const base = { Path: "a", Key: "secret" };
    expect(childEnvironment(base, { extra: { PATH: "b" }, drop: ["KEY"] }, "win32")).toEqual({ PATH: "b" });
    expect(childEnvironment(base, { extra: { PATH: "b" }, drop: ["KEY"] }, "linux")).toEqual({
      Path: "a",
      PATH: "b",
      Key: "secret",
    });
  });
});
