import { parse } from "vue/compiler-sfc";
import { expect, test } from "vitest";
import { messages, resolveLocale } from "./i18n.ts";

type Tree = { readonly [key: string]: string | Tree };
const flatten = (tree: Tree, prefix = ""): [string, string][] =>
  Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value]] : flatten(value, `${prefix}${key}.`),
  );
const english = new Map(flatten(messages.en));
const chinese = new Map(flatten(messages.zh));
const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();

const files = import.meta.glob<string>(["./**/*.{vue,ts}", "!./**/*.{test,testing}.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const sources = Object.entries(files).map(([name, text]) => ({ name, text }));

test("both languages have the same keys and placeholders", () => {
  expect([...chinese.keys()].sort()).toEqual([...english.keys()].sort());
  for (const [key, text] of english)
    expect([key, placeholders(chinese.get(key) ?? "")]).toEqual([key, placeholders(text)]);
});

test("no message is empty", () => {
  const empty = [...english, ...chinese].filter(([, text]) => text.trim() === "").map(([key]) => key);
  expect(empty).toEqual([]);
});

/** Keys in quotes of any kind; a part that is a value stands for any word (`ui.mcp.${state}`). */
const keysIn = (text: string): RegExp[] =>
  [...text.matchAll(/["'`]((?:app|chat|faults|market|settings|ui)\.(?:[\w.]|\$\{[^}]*\})+)["'`]/g)].map(
    ([, key = ""]) => new RegExp(`^${key.replaceAll(".", "\\.").replace(/\$\{[^}]*\}/g, "[\\w-]+")}$`),
  );
/** Where a text can only be a key: arguments of `t`, `keypath`, `labelKey`, and `key` of a message. */
const keyPlaces = /\bt\((?:[^()]|\([^()]*\))*\)|keypath="[^"]*"|(?:labelKey|\bkey): "[^"]*"/g;

test("every key that a source names exists", () => {
  const missing = sources.flatMap(({ name, text }) =>
    keysIn((text.match(keyPlaces) ?? []).join("\n"))
      .filter((key) => ![...english.keys()].some((known) => key.test(known)))
      .map((key) => `${name}: ${key.source}`),
  );
  expect(missing).toEqual([]);
});

test("every message is named by a source", () => {
  const used = sources.flatMap(({ text }) => keysIn(text));
  const unused = [...english.keys()].filter((key) => !used.some((pattern) => pattern.test(key)));
  expect(unused).toEqual([]);
});

interface Node {
  readonly type: number;
  readonly content?: unknown;
  readonly props?: readonly { type: number; name: string; value?: { content: string } }[];
  readonly children?: readonly Node[];
  readonly loc: { readonly start: { readonly line: number } };
}
const textNode = 2;
const attribute = 6;
const spoken = new Set([
  "aria-label",
  "aria-description",
  "title",
  "placeholder",
  "alt",
  "label",
  "description",
]);
const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

function hardCoded(node: Node): string[] {
  const own: string[] = [];
  if (node.type === textNode && typeof node.content === "string" && hasLetters(node.content))
    own.push(`line ${node.loc.start.line}: ${node.content.trim()}`);
  for (const { type, name, value } of node.props ?? [])
    if (type === attribute && spoken.has(name) && value && hasLetters(value.content))
      own.push(`line ${node.loc.start.line}: ${name}="${value.content}"`);
  return [...own, ...(node.children ?? []).flatMap(hardCoded)];
}

test("no template holds text of its own", () => {
  const found = sources
    .filter(({ name }) => name.endsWith(".vue"))
    .flatMap(({ name, text }) => {
      const ast = parse(text).descriptor.template?.ast;
      return ast ? hardCoded(ast as Node).map((place) => `${name} ${place}`) : [];
    });
  expect(found).toEqual([]);
});

test("the check for text finds text", () => {
  const ast = parse('<template><p title="Hello">{{ t("a") }}<b>World</b> ·</p></template>').descriptor
    .template?.ast;
  expect(hardCoded(ast as Node)).toEqual(['line 1: title="Hello"', "line 1: World"]);
});

test.each([
  ["system", ["zh-CN", "en"], "zh"],
  ["system", ["de", "zh-TW", "en"], "zh"],
  ["system", ["de", "en-GB", "zh"], "en"],
  ["system", [], "en"],
  ["zh", ["en"], "zh"],
  ["en", ["zh"], "en"],
] as const)("setting %s, system %j: %s", (setting, languages, locale) =>
  expect(resolveLocale(setting, languages)).toBe(locale),
);
