import type { ModelServerOptions } from "../fixtures/model-server.mjs";

/** One turn that uses a skill, a plugin's tool, a real MCP server and a sub-agent. */
export const mainJob = (): ModelServerOptions => ({
  steps: [
    {
      when: { system: "You read the files", lastRole: "user" },
      toolCalls: [{ name: "read_file", input: { path: "docs/changes.txt" } }],
    },
    {
      when: { system: "You read the files", lastRole: "tool" },
      text: "docs/changes.txt lists two changes: search and closing the window.",
    },
    {
      when: { lastRole: "user" },
      reasoning: "The notes skill fits. I count the words, and a reader looks at the changes.",
      text: "I load the skill and look at the changes.",
      toolCalls: [
        { name: "skill", input: { name: "release-notes" } },
        { name: "count_words", input: { text: "one two three", minimum: "1" } },
        { name: "mcp__everything__echo", input: { message: "pearl" } },
        {
          name: "task",
          input: { description: "Read the changes", prompt: "What changed?", agent: "reader" },
        },
      ],
    },
    {
      when: { lastRole: "tool" },
      text: "## Release notes\n\n- **Search** finds Chinese words.\n- Closing the window no longer stops a turn.\n\n```ts\nconst answer = 42;\n```\n",
      usage: { inputTokens: 900, outputTokens: 60 },
    },
  ],
});
