import { describe, expect, it } from "vitest";
import { guideAnswer, type GuideInventory } from "./guide.ts";

const empty: GuideInventory = {
  skills: [],
  plugins: [],
  servers: [],
  agents: [],
  tools: [],
  commands: [],
  models: [],
  waiting: 0,
};
const full: GuideInventory = {
  skills: [{ name: "pdf", description: "Reads PDFs." }],
  plugins: [{ name: "jira" }],
  servers: [{ name: "github", state: "ready", toolCount: 2 }],
  agents: [{ name: "reviewer" }],
  tools: [{ name: "mcp__github__search", title: "mcp.github.search" }],
  commands: [{ name: "call", hint: "NAME {json}", description: "calls a tool" }],
  models: [
    { id: "cloud/big", provider: "cloud", ok: false, error: "set the variable CLOUD_KEY" },
    { id: "local/llama", provider: "local", ok: true },
  ],
  waiting: 2,
};

describe("guideAnswer", () => {
  it("says that it is no language model and what is missing", () => {
    const answer = guideAnswer("hello", false, empty);
    expect(answer).toContain("not a language model");
    expect(answer).toContain("NACRE_MODEL=openai-compatible/");
    expect(answer).toContain("nothing yet");
    expect(answer).not.toContain("You named");
  });

  it("lists what is installed, the models and what waits for trust", () => {
    const answer = guideAnswer("hello", false, full);
    for (const words of [
      "Skills (1): `pdf`",
      "`jira`",
      "`github: ready, 2 tools`",
      "`reviewer`",
      "`mcp.github.search`",
      "`/call NAME {json}`: calls a tool",
      "`cloud/big` cannot be used: set the variable CLOUD_KEY",
      "`/model local/llama` chooses it",
      "`/plugins trust`",
    ])
      expect(answer).toContain(words);
  });

  it.each([
    ["please use the PDF skill", "/skill pdf"],
    ["what does mcp.github.search do?", "/call mcp.github.search"],
    ["try mcp__github__search", "/call mcp.github.search"],
  ])("finds what %j names", (text, words) => {
    expect(guideAnswer(text, false, full)).toContain(words);
  });

  it.each(["a pdfx file", "my-pdf-reader"])("takes no part of a word for a name: %s", (text) => {
    expect(guideAnswer(text, false, full)).not.toContain("You named");
  });

  it("shows what a command would send", () => {
    const answer = guideAnswer("Follow these steps: …", true, full);
    expect(answer).toContain("Follow these steps: …");
    expect(answer).toContain("What is missing");
  });

  it("does not grow without end", () => {
    const skills = Array.from({ length: 2_000 }, (_, n) => ({
      name: `skill-${n}`,
      description: "d".repeat(500),
    }));
    const answer = guideAnswer(skills.map(({ name }) => name).join(" "), false, { ...full, skills });
    expect(answer).toContain("and 1970 more");
    expect(answer.length).toBeLessThan(25_000);
  });
});
