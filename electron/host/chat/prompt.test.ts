import { describe, expect, it } from "vitest";
import { systemPrompt, type PromptParts } from "./prompt.ts";

const parts: PromptParts = {
  workspace: "/home/me/project",
  platform: "linux",
  startedOn: "2026-11-30",
  instructions: [],
};

describe("systemPrompt", () => {
  it("names workspace, system and day", () => {
    const prompt = systemPrompt(parts);
    expect(prompt).toContain("Workspace: /home/me/project");
    expect(prompt).toContain("Operating system: Linux");
    expect(prompt).toContain("2026-11-30");
    expect(prompt).not.toMatch(/Instructions|Skills|Your role|\n\n\n/);
  });

  it("puts instructions in their order, then the catalog, and the role's body last", () => {
    const prompt = systemPrompt({
      ...parts,
      instructions: [
        { path: "/home/me/AGENTS.md", text: "Outer.\n" },
        { path: "/home/me/empty.md", text: " \n" },
        { path: "/home/me/project/AGENTS.md", text: "Inner." },
      ],
      catalog: "# Skills\n\n- pdf: Reads PDFs.\n",
      role: "You review changes.",
    });
    const order = ["# Environment", "Outer.", "Inner.", "- pdf: Reads PDFs.", "You review changes."];
    const at = order.map((words) => prompt.indexOf(words));
    expect(at).toEqual([...at].sort((a, b) => a - b));
    expect(at).not.toContain(-1);
    expect(prompt).not.toContain("empty.md");
    expect(prompt.endsWith("You review changes.")).toBe(true);
  });

  it("keeps its beginning when instructions change, so that a cache of it hits", () => {
    const one = systemPrompt({ ...parts, instructions: [{ path: "a", text: "one" }] });
    const two = systemPrompt({ ...parts, instructions: [{ path: "a", text: "two" }], role: "Role." });
    const shared = systemPrompt(parts);
    expect(one.startsWith(shared)).toBe(true);
    expect(two.startsWith(shared)).toBe(true);
  });
});
