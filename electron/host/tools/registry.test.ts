import { describe, expect, it } from "vitest";
import { isReadOnly, ToolRegistry } from "./registry.ts";
import type { Tool } from "./types.ts";

const tool = (name: string, extra: Partial<Tool> = {}): Tool => ({
  name,
  title: name,
  description: "",
  perm: "read",
  origin: { kind: "plugin", owner: "jira" },
  inputSchema: { type: "object" },
  run: () => Promise.resolve({ output: "", isError: false, sandboxed: null }),
  ...extra,
});
const builtin = { kind: "builtin", owner: "nacre" } as const;

describe("ToolRegistry", () => {
  it("lists by name, with one array until something changes", async () => {
    const registry = new ToolRegistry();
    const removeB = registry.add(tool("b"));
    registry.add(tool("a"));
    registry.add(tool("B"));
    const list = registry.list();
    expect(list.map(({ name }) => name)).toEqual(["B", "a", "b"]);
    expect(registry.list()).toBe(list);
    await removeB();
    expect(registry.list().map(({ name }) => name)).toEqual(["B", "a"]);
  });
  it("finds by name, title and alias", () => {
    const registry = new ToolRegistry();
    registry.add(tool("mcp__github__search", { title: "mcp.github.search" }));
    registry.add(tool("run_shell", { origin: builtin }));
    expect(registry.get("mcp.github.search")?.name).toBe("mcp__github__search");
    expect(registry.get("mcp__github__search")?.title).toBe("mcp.github.search");
    expect(registry.get("Bash")?.name).toBe("run_shell");
    expect(registry.get("bash")).toBeUndefined();
    expect(registry.get("__proto__")).toBeUndefined();
  });
  it("takes a tool's own name for itself before an alias", () => {
    const registry = new ToolRegistry();
    registry.add(tool("run_shell", { origin: builtin }));
    registry.add(tool("shell"));
    expect(registry.get("shell")?.origin.owner).toBe("jira");
  });
  it("refuses a second tool of a name and names both owners", () => {
    const registry = new ToolRegistry();
    registry.add(tool("search"));
    registry.add(tool("read_file", { origin: builtin }));
    expect(() => registry.add(tool("search", { origin: { kind: "mcp", owner: "web" } }))).toThrow(
      /"search" of mcp "web".*plugin "jira"/,
    );
    expect(() => registry.add(tool("read_file"))).toThrow(/plugin "jira".*Nacre itself/);
    expect(registry.list()).toHaveLength(2);
  });
  it("refuses a title that is another's name, and a name that is another's title", () => {
    const registry = new ToolRegistry();
    registry.add(tool("mcp__a__b", { title: "mcp.a.b" }));
    expect(() => registry.add(tool("x", { title: "mcp.a.b" }))).toThrow(/already|has one of that name/);
    expect(() => registry.add(tool("mcp.a.b"))).toThrow(/has one of that name/);
  });
  it("tells of each change, and a stale remover removes nothing", async () => {
    const registry = new ToolRegistry();
    let changes = 0;
    registry.onChange.on(() => (changes += 1));
    const remove = registry.add(tool("a"));
    await remove();
    registry.add(tool("a"));
    await remove();
    expect(registry.get("a")).toBeDefined();
    expect(changes).toBe(3);
  });
});

describe("isReadOnly", () => {
  it("goes by the class alone", () => {
    expect(isReadOnly(tool("a"))).toBe(true);
    for (const perm of ["write", "net", "shell"] as const)
      expect(isReadOnly(tool("a", { perm }))).toBe(false);
  });
});
