import { describe, expect, it } from "vitest";
import { validateSchema } from "../../../../shared/json-schema.ts";
import { BackgroundCommands } from "../background.ts";
import { noSandbox } from "../tools.testkit.ts";
import { builtinTools } from "./index.ts";

const deps = {
  environment: () => ({}),
  sandbox: noSandbox,
  background: new BackgroundCommands({ now: () => 0 }),
  fetch: () => fetch,
  paths: { home: "/home", config: "/config" },
};
const shell = ["run_shell", "shell_output", "shell_stop"];
const fileAndShell = ["read_file", "list_dir", "glob", "grep", "write_file", "edit_file", ...shell];

describe("the built-in tools", () => {
  it("have their classes", () => {
    expect(Object.fromEntries(builtinTools(deps).map(({ name, perm }) => [name, perm]))).toEqual({
      read_file: "read",
      list_dir: "read",
      glob: "read",
      grep: "read",
      write_file: "write",
      edit_file: "write",
      run_shell: "shell",
      shell_output: "read",
      shell_stop: "read",
      fetch_url: "net",
      ask_user: "read",
    });
  });
  it("are file and shell tools alone where minimal", () => {
    expect(builtinTools({ ...deps, minimal: true }).map(({ name }) => name)).toEqual(fileAndShell);
  });
  it.each(builtinTools(deps).map((tool) => [tool.name, tool] as const))(
    "%s refuses unknown arguments",
    (_name, tool) => {
      expect(validateSchema(tool.inputSchema, { nonsense: 1 })).toMatchObject({
        ok: false,
        problems: expect.arrayContaining([
          expect.objectContaining({ property: "nonsense", message: "is not known" }),
        ]),
      });
      expect(tool.description.length).toBeLessThan(400);
      expect(tool.title).toBe(tool.name);
    },
  );
});
