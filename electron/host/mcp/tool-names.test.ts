import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { declare } from "./mcp.testkit.ts";
import { isAutoApproved, isToolDeclaredOn, modelToolNames, toolSwitchId, toolTitle } from "./tool-names.ts";

const one = (server: string, tool: string): string => modelToolNames([{ server, tool }])[0] ?? "";

describe("tool names", () => {
  it.each([
    ["github", "search", "mcp__github__search"],
    ["my.server", "do it", "mcp__my_server__do_it"],
    ["文件", "读", `mcp${"_".repeat(7)}`],
    ["a😀b", "x", "mcp__a_b__x"],
  ])("of %s, %s", (server, tool, expected) => {
    expect(one(server, tool)).toBe(expected);
  });
  it("cuts at 63 bytes with a hash that tells long names apart", () => {
    const server = "s".repeat(30);
    const [first, second] = modelToolNames([
      { server, tool: `${"t".repeat(40)}1` },
      { server, tool: `${"t".repeat(40)}2` },
    ]);
    expect(first).toMatch(/^mcp__s{30}__t+_[0-9a-f]{8}$/);
    expect(first).toHaveLength(63);
    expect(first).not.toBe(second);
  });
  it("keeps names of 63 bytes whole", () => {
    const tool = "t".repeat(63 - "mcp__s__".length);
    expect(one("s", tool)).toBe(`mcp__s__${tool}`);
    expect(one("s", `${tool}t`)).toMatch(/_[0-9a-f]{8}$/);
  });
  it("gives the second of a clash the hash", () => {
    const names = modelToolNames([
      { server: "a.b", tool: "x" },
      { server: "a_b", tool: "x" },
      { server: "a", tool: "b__y" },
      { server: "a__b", tool: "y" },
    ]);
    expect(names[0]).toBe("mcp__a_b__x");
    expect(names[1]).toMatch(/^mcp__a_b__x_[0-9a-f]{8}$/);
    expect(names[2]).toBe("mcp__a__b__y");
    expect(names[3]).toMatch(/^mcp__a__b__y_[0-9a-f]{8}$/);
  });
  it("are unique, short and safe for any input", () => {
    const entry = fc.record({ server: fc.string({ unit: "binary" }), tool: fc.string({ unit: "binary" }) });
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 40 }), (entries) => {
        const names = modelToolNames(entries);
        expect(new Set(names).size).toBe(entries.length);
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,63}$/);
        expect(modelToolNames(entries)).toEqual(names);
      }),
    );
  });
  it("titles and switches keep the server's own words; a title is short, on one line, with nothing hidden", () => {
    expect(toolTitle("my.server", "do it")).toBe("mcp.my.server.do it");
    expect(toolTitle("a\n", `b\u202E\u{E0041}${"c".repeat(1000)}`)).toMatch(
      /^mcp\.a⟨U\+000A⟩\.b⟨U\+202E⟩⟨U\+E0041⟩c{76}… \(\+924\)$/,
    );
    expect(toolSwitchId("github", "search")).toBe("tool:mcp.github/search");
  });
  it("enabled_tools, disabled_tools and autoApprove", () => {
    const { config } = declare("s", { enabledTools: ["a", "b"], disabledTools: ["b"], autoApprove: ["a"] });
    expect(["a", "b", "c"].map((tool) => isToolDeclaredOn(config, tool))).toEqual([true, false, false]);
    expect(["a", "b"].map((tool) => isAutoApproved(config, tool))).toEqual([true, false]);
    expect(isAutoApproved(declare("s", { autoApprove: true }).config, "any")).toBe(true);
    expect(isToolDeclaredOn(declare("s", {}).config, "any")).toBe(true);
  });
});
