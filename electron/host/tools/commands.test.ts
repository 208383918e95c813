import { describe, expect, it } from "vitest";
import { CommandRegistry, type SlashCommand } from "./commands.ts";

const command = (name: string, hint?: string): SlashCommand => ({
  name,
  description: `does ${name}`,
  ...(hint === undefined ? {} : { hint }),
  run: (args) => Promise.resolve({ kind: "text", text: `${name}(${args})` }),
});

describe("CommandRegistry", () => {
  it("lists rows by name, without what runs", () => {
    const commands = new CommandRegistry();
    commands.add(command("skills", "list | reload"));
    commands.add(command("mcp"));
    expect(commands.rows()).toEqual([
      { name: "mcp", description: "does mcp" },
      { name: "skills", description: "does skills", hint: "list | reload" },
    ]);
  });
  it("finds, runs and removes", async () => {
    const commands = new CommandRegistry();
    const remove = commands.add(command("mcp"));
    const context = { sessionId: null, onOutput: () => undefined, signal: new AbortController().signal };
    await expect(commands.get("mcp")?.run("list", context)).resolves.toEqual({
      kind: "text",
      text: "mcp(list)",
    });
    await remove();
    expect(commands.get("mcp")).toBeUndefined();
    expect(commands.rows()).toEqual([]);
  });
  it("refuses a second command of a name; its refusal leaves the first one in place", async () => {
    const commands = new CommandRegistry();
    const remove = commands.add(command("mcp"));
    expect(() => commands.add(command("mcp"))).toThrow(/\/mcp exists already/);
    await remove();
    commands.add(command("mcp"));
    await remove();
    expect(commands.get("mcp")).toBeDefined();
  });
});
