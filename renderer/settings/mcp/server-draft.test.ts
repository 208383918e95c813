import { expect, test } from "vitest";
import { emptyForm, formOf, freeName, readPasted, serverJson, type ServerForm } from "./server-draft.ts";

const json = (form: Partial<ServerForm>): unknown => {
  const draft = serverJson({ ...emptyForm, ...form });
  return draft.ok ? JSON.parse(draft.json) : draft;
};

test("a line is one argument, blanks and all", () => {
  expect(json({ command: " npx ", args: "-y\nserver@1.0.0\n\n/home/me/my notes\n" })).toEqual({
    command: "npx",
    args: ["-y", "server@1.0.0", "/home/me/my notes"],
  });
});

test("variables and headers are kept as they are written", () => {
  expect(json({ command: "x", env: "TOKEN=${TOKEN}\nMODE=a=b\nEMPTY=" })).toMatchObject({
    env: { TOKEN: "${TOKEN}", MODE: "a=b", EMPTY: "" },
  });
  expect(
    json({ kind: "address", url: "https://mcp.example.com/x", headers: "Authorization: Bearer ${T}" }),
  ).toEqual({ url: "https://mcp.example.com/x", headers: { Authorization: "Bearer ${T}" } });
});

test.each([
  [{}, { ok: false, problem: "command" }],
  [
    { command: "x", env: "A=1\nnonsense" },
    { ok: false, problem: "env", line: "nonsense" },
  ],
  [
    { kind: "address", url: "example.com" },
    { ok: false, problem: "url" },
  ],
  [
    { kind: "address", url: "http://localhost:1/mcp", headers: "no colon" },
    { ok: false, problem: "headers", line: "no colon" },
  ],
] as const)("%o", (form, draft) => expect(json(form)).toEqual(draft));

test.each([
  [
    '{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://y"}}}',
    { kind: "named", names: ["a", "b"] },
  ],
  ['{"files": {"command": "npx"}, "$schema": "https://x"}', { kind: "named", names: ["files"] }],
  ['{"command": "npx"}', { kind: "server" }],
  ['{"mcpServers": {}}', { kind: "none" }],
  ["[1]", { kind: "none" }],
  ['"text"', { kind: "none" }],
])("pasted %s", (text, pasted) => expect(readPasted(text)).toEqual(pasted));

test("pasted text that is no JSON says why", () =>
  expect(readPasted("{command: npx}")).toMatchObject({
    kind: "broken",
    reason: expect.stringMatching(/JSON/),
  }));

test.each([
  { command: "npx", args: ["-y", "notes server", "  two"], env: { TOKEN: "${TOKEN}", B: "a=b" } },
  { command: "npx", args: [] },
  { url: "https://x.example/mcp", headers: { Authorization: "Bearer ${TOKEN}" } },
])("an entry goes into the form and comes back as it was: %j", (entry) => {
  const form = formOf(JSON.stringify(entry));
  expect(form && serverJson(form)).toEqual({ ok: true, json: JSON.stringify(entry) });
});
test.each([
  { command: "npx", args: [], timeout: 5 },
  { command: "npx", args: ["two\nlines"] },
  { command: "npx", args: [""] },
  { command: "npx", args: [], env: { A: "two\nlines" } },
  { url: "https://x.example", type: "sse" },
  { command: "npx", args: [1] },
])("an entry that the form would change is edited as text: %j", (entry) => {
  expect(formOf(JSON.stringify(entry))).toBeNull();
});
test("a copy gets a name that nobody has", () => {
  expect(freeName("a", new Set(["a", "a-2"]))).toBe("a-3");
});
