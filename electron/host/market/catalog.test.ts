import { expect, test } from "vitest";
import { parseCatalog } from "./catalog.ts";

const source = { id: "remote", file: "/catalog.json", trust: "community" } as const;
const stdio = { transport: "stdio", command: "npx", args: ["-y", "x@1.0.0"] };
const entry = { id: "io.github.someone/x", display_name: "X", install: stdio };
const parse = (...entries: unknown[]): ReturnType<typeof parseCatalog> =>
  parseCatalog({ schema_version: "1", entries }, source);

test("what is left out has its default, and the name is the last part of the id", () => {
  expect(parse(entry).entries).toEqual([
    {
      id: "io.github.someone/x",
      kind: "mcp",
      name: "x",
      title: "X",
      summary: "",
      description: "",
      categories: [],
      tags: [],
      trust: "unverified",
      source: "remote",
      install: { kind: "stdio", command: "npx", args: ["-y", "x@1.0.0"], env: {} },
      needs: [],
      variables: [],
    },
  ]);
});
test("trust is at most the source's", () => {
  const trusts = ["unverified", "community", "verified"].map((trust, i) => ({
    ...entry,
    id: `a${i}`,
    trust,
  }));
  expect(parse(...trusts).entries.map(({ trust }) => trust)).toEqual([
    "unverified",
    "community",
    "community",
  ]);
});
test("all forms, requirements and variables", () => {
  const { entries, diagnostics } = parse(
    {
      ...entry,
      id: "remote",
      install: { transport: "streamable_http", url: "https://${HOST}/mcp", headers: { A: "${T}" } },
      default_env: [{ key: "T", label: "Token", description: "from there", required: true, secret: true }],
    },
    { ...entry, id: "skill", kind: "skill", install: { path: "skills/skill" } },
    { ...entry, id: "needy", requirements: [{ kind: "node", min_version: "20", install_hint: "get it" }] },
  );
  expect(diagnostics).toEqual([]);
  expect(entries.map(({ install }) => install.kind)).toEqual(["remote", "folder", "stdio"]);
  expect(entries[0]?.variables).toEqual([
    { key: "T", required: true, secret: true, description: "Token: from there" },
  ]);
  expect(entries[2]?.needs).toEqual([{ kind: "node", minVersion: "20", hint: "get it" }]);
});
test.each([
  ["no id", { ...entry, id: undefined }],
  ["an id with a space", { ...entry, id: "a b" }],
  ["an id that climbs", { ...entry, id: "a/.." }],
  ["an empty last part", { ...entry, id: "a/" }],
  ["no install", { ...entry, install: undefined }],
  ["an unknown transport", { ...entry, install: { transport: "carrier-pigeon", url: "https://x" } }],
  ["a server without a command", { ...entry, install: { transport: "stdio", command: "" } }],
  ["a skill that starts a program", { ...entry, kind: "skill" }],
  ["a server that is a folder", { ...entry, install: { path: "x" } }],
  ["a path that climbs", { ...entry, kind: "skill", id: "s", install: { path: "a/../../b" } }],
  ["an absolute path", { ...entry, kind: "skill", id: "s", install: { path: "/etc" } }],
  ["a Windows path", { ...entry, kind: "skill", id: "s", install: { path: "C:\\x" } }],
  ["a skill name that is none", { ...entry, kind: "skill", id: "Not_A_Skill", install: { path: "x" } }],
  ["a url that is none", { ...entry, install: { transport: "sse", url: "nonsense" } }],
  ["a variable that is none", { ...entry, default_env: [{ key: "A=B" }] }],
  ["no object", "nonsense"],
])("an entry with %s is a diagnostic and takes no other with it", (_name, bad) => {
  const { entries, diagnostics } = parse(bad, { ...entry, id: "good" });
  expect(entries.map(({ id }) => id)).toEqual(["good"]);
  expect(diagnostics).toMatchObject([{ code: "catalog-invalid", path: "/catalog.json" }]);
  expect(diagnostics[0]?.message).toMatch(/^entry 0: /);
});
test("of one id the first counts", () => {
  const { entries, diagnostics } = parse(entry, { ...entry, display_name: "Second" });
  expect(entries).toHaveLength(1);
  expect(diagnostics[0]?.message).toBe("entry 1: there is a second io.github.someone/x");
});
test.each([[null], [{ schema_version: "2", entries: [] }], [{ schema_version: "1" }], ["x"]])(
  "%j is no catalog",
  (raw) => {
    expect(parseCatalog(raw, source)).toMatchObject({
      entries: [],
      diagnostics: [{ code: "catalog-invalid" }],
    });
  },
);
test("a homepage that may not be opened is left out", () => {
  expect(parse({ ...entry, homepage: "javascript:alert(1)" }).entries[0]).not.toHaveProperty("homepage");
});
