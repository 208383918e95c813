import { expect, it } from "vitest";
import type { Entry, SessionRow } from "../../../shared/session.ts";
import { exportMarkdown } from "./markdown.ts";

const row: SessionRow = {
  id: "s1",
  title: "Read it",
  createdAt: "2026-11-30T10:00:00.000Z",
  updatedAt: "2026-11-30T10:00:00.000Z",
  turns: 1,
  state: "idle",
};
const at = { t: 0 };
const entries: Entry[] = [
  { type: "user", id: "1", ...at, text: "read a.md" },
  { type: "assistant", id: "2", ...at, text: "", reasoning: "It is\n\nshort.", done: true },
  {
    type: "tool",
    id: "3",
    ...at,
    call: {
      callId: "c",
      name: "read_file",
      title: "read_file",
      origin: "builtin",
      input: { path: "a.md" },
      state: "done",
      output: "text\n```js\n````\n",
      isError: false,
      durationMs: 1,
      decision: "allow",
      sandboxed: null,
      exitCode: 0,
      diff: "-a\n+b",
    },
  },
  { type: "notice", id: "4", ...at, level: "warning", text: "careful" },
  { type: "assistant", id: "5", ...at, text: "Done.", reasoning: "", done: true },
  {
    type: "turn_end",
    id: "6",
    ...at,
    stopReason: "max_steps",
    usage: { inputTokens: 1, outputTokens: 1 },
    steps: 2,
  },
];

it("exports what was said and done, and no output can break out of its fence", () => {
  expect(exportMarkdown(row, entries)).toBe(`# Read it

Session s1, begun 2026-11-30T10:00:00.000Z.

## User

read a.md

> It is
>
> short.

### Tool call \`read_file\` (builtin, done, exit code 0)

\`\`\`json
{
  "path": "a.md"
}
\`\`\`

\`\`\`\`\`
text
\`\`\`js
\`\`\`\`
\`\`\`\`\`

\`\`\`diff
-a
+b
\`\`\`

*warning: careful*

Done.

*The turn ended: max_steps.*
`);
});

it("takes the id where there is no title", () => {
  expect(exportMarkdown({ ...row, title: "" }, [])).toContain("# s1\n");
});
