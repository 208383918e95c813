import { describe, expect, test } from "vitest";
import type { Logger } from "../kit/log.ts";
import { SkillRegistry } from "./registry.ts";
import type { SkillCandidate, SkillLookupOptions, SkillProvider } from "./types.ts";
import { quietLog } from "./world.testkit.ts";

const warnings: string[] = [];
const log: Logger = { ...quietLog, warn: (message) => void warnings.push(message) };
const registry = (maxEntries = 128): SkillRegistry =>
  new SkillRegistry({ log, maxEntries: () => maxEntries });
const candidate = (name: string, rank: number, description = "D."): SkillCandidate => ({
  name,
  rank,
  description,
  source: "custom",
  provider: "p",
  locator: { name },
});
interface Fake extends SkillProvider {
  lists: SkillLookupOptions[];
  gets: [SkillCandidate, SkillLookupOptions][];
}
function provider(name: string, candidates: readonly SkillCandidate[]): Fake {
  const fake: Fake = {
    name,
    lists: [],
    gets: [],
    list: async (options) => {
      fake.lists.push(options);
      return candidates;
    },
    get: async (wanted, options) => {
      fake.gets.push([wanted, options]);
      return { ...wanted, content: `body of ${wanted.name} by ${name}` };
    },
  };
  return fake;
}

describe("merging", () => {
  test("rank, then provider order, then local order; sorted by name", async () => {
    const skills = registry();
    skills.registerProvider(
      provider("p", [candidate("b", 300, "p1"), candidate("b", 300, "p2"), candidate("a", 300, "p")]),
    );
    skills.registerProvider(
      provider("q", [candidate("a", 200, "q"), candidate("b", 300, "q"), candidate("c", 600, "q")]),
    );
    expect(
      (await skills.list()).map(({ name, description, provider: by }) => [name, description, by]),
    ).toEqual([
      ["a", "q", "q"],
      ["b", "p1", "p"],
      ["c", "q", "q"],
    ]);
    expect((await skills.candidates()).map(({ name, rank }) => `${name}${rank}`)).toEqual([
      "a200",
      "b300",
      "b300",
      "a300",
      "b300",
      "c600",
    ]);
  });
  test("a summary holds what the model and the window see, no more, and is frozen", async () => {
    const skills = registry();
    skills.registerProvider(
      provider("p", [{ ...candidate("a", 1), path: "/x", metadata: { k: "v" }, whenToUse: "often" }]),
    );
    const [summary] = await skills.list();
    expect(summary).toEqual({
      name: "a",
      description: "D.",
      source: "custom",
      provider: "p",
      whenToUse: "often",
    });
    expect(Object.isFrozen(summary)).toBe(true);
  });
  test("get asks the winner's provider with its own candidate and the very options of the list", async () => {
    const skills = registry();
    const own = candidate("a", 1);
    const fake = provider("p", [own]);
    skills.registerProvider(fake);
    const skill = await skills.get("a", { cwd: "/w" });
    expect(skill).toMatchObject({ name: "a", content: "body of a by p" });
    expect(fake.gets[0]?.[0]).toBe(own);
    expect(fake.gets[0]?.[1]).toBe(fake.lists[0]);
    expect(Object.isFrozen(fake.lists[0])).toBe(true);
    expect(Object.isFrozen(own)).toBe(false);
    expect(await skills.get("unknown")).toBeUndefined();
  });
  test("a provider that answers undefined has it no longer", async () => {
    const skills = registry();
    skills.registerProvider({ ...provider("p", [candidate("a", 1)]), get: async () => undefined });
    expect(await skills.get("a")).toBeUndefined();
  });
});

describe("runtime skills", () => {
  const skill = { name: "r", description: "D.", source: "runtime", content: "text" };
  test("rank 250; a second of a name loses and its disposer does nothing", async () => {
    const skills = registry();
    skills.registerProvider(provider("p", [candidate("r", 251), candidate("s", 249)]));
    const first = skills.register(skill);
    const second = skills.register({ ...skill, content: "other" });
    await second();
    expect((await skills.get("r"))?.content).toBe("text");
    expect(await skills.list()).toMatchObject([{ name: "r", provider: "runtime" }, { name: "s" }]);
    await first();
    expect((await skills.get("r"))?.content).toBe("body of r by p");
    await first();
  });
  test("its provider's name is taken", () => {
    expect(() => registry().registerProvider(provider("runtime", []))).toThrow("registered already");
  });
  test("a disposer of an older registration leaves the newer one", async () => {
    const skills = registry();
    const old = skills.register(skill);
    await old();
    skills.register({ ...skill, content: "newer" });
    await old();
    expect((await skills.get("r"))?.content).toBe("newer");
  });
});

describe("hand-overs are checked", () => {
  test.each([
    ["no object", 3],
    ["a name", { ...candidate("a", 1), name: "Not A Name" }],
    ["a missing name", { ...candidate("a", 1), name: undefined }],
    ["a description", { ...candidate("a", 1), description: 3 }],
    ["a rank", { ...candidate("a", 1), rank: "1" }],
    ["not a number", { ...candidate("a", 1), rank: Number.NaN }],
    ["a switch", { ...candidate("a", 1), disableModelInvocation: "yes" }],
    ["metadata", { ...candidate("a", 1), metadata: [] }],
    ["a base", { ...candidate("a", 1), resourceBase: { kind: "url" } }],
  ])("%s", async (_what, value) => {
    const skills = registry();
    skills.registerProvider({ ...provider("p", []), list: async () => [value as SkillCandidate] });
    await expect(skills.list()).rejects.toMatchObject({ code: "invalid_input" });
  });
  test("no list, and a definition without content", async () => {
    const skills = registry();
    const stop = skills.registerProvider({
      ...provider("p", []),
      list: async () => ({}) as SkillCandidate[],
    });
    await expect(skills.list()).rejects.toThrow("a list");
    await stop();
    skills.registerProvider({
      ...provider("q", [candidate("a", 1)]),
      get: async (wanted) => wanted as never,
    });
    await expect(skills.get("a")).rejects.toThrow("content");
  });
  test("changing what was handed over changes nothing", async () => {
    const own = { ...candidate("a", 1) };
    const skills = registry();
    skills.registerProvider(provider("p", [own]));
    await skills.list();
    own.description = "changed";
    expect((await skills.list())[0]?.description).toBe("D.");
  });
});

describe("cache and failure", () => {
  test("a completed catalog is kept by folder and provider, the oldest go", async () => {
    const skills = registry(2);
    const fake = provider("p", []);
    skills.registerProvider(fake);
    for (const cwd of ["/a", "/a", "/b", "/a"]) await skills.list({ cwd });
    expect(fake.lists.map(({ cwd }) => cwd)).toEqual(["/a", "/b", "/a"]);
    const roomy = registry(128);
    const other = provider("p", []);
    roomy.registerProvider(other);
    for (const cwd of ["/a", "/b", "/a", "/b"]) await roomy.list({ cwd });
    expect(other.lists.map(({ cwd }) => cwd)).toEqual(["/a", "/b"]);
    roomy.invalidate();
    await roomy.list({ cwd: "/a" });
    expect(other.lists).toHaveLength(3);
  });
  test("one that rejects is logged and left out, and asked again", async () => {
    const skills = registry();
    const failing = provider("bad", [candidate("x", 1)]);
    let fails = true;
    skills.registerProvider({
      ...failing,
      list: (options) => (fails ? Promise.reject(new Error("down")) : failing.list(options)),
    });
    skills.registerProvider(provider("good", [candidate("a", 1)]));
    warnings.length = 0;
    expect((await skills.list()).map(({ name }) => name)).toEqual(["a"]);
    expect(warnings).toHaveLength(1);
    fails = false;
    expect((await skills.list()).map(({ name }) => name)).toEqual(["a", "x"]);
  });
  test("what was discovered while something changed is not kept", async () => {
    const skills = registry();
    const fake = provider("p", [candidate("a", 1)]);
    let once = true;
    skills.registerProvider({
      ...fake,
      list: async (options) => {
        if (once) {
          once = false;
          skills.register({ name: "r", description: "D.", source: "runtime", content: "text" });
        }
        return fake.list(options);
      },
    });
    expect((await skills.list()).map(({ name }) => name)).toEqual(["a", "r"]);
    expect(fake.lists).toHaveLength(2);
  });
});

describe("abort", () => {
  test("before, during, after a cache hit, and while loading", async () => {
    const skills = registry();
    const reason = new Error("enough");
    await expect(skills.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const stop = skills.registerProvider({
      ...provider("slow", []),
      list: () => new Promise(() => undefined),
    });
    const during = new AbortController();
    const waiting = skills.list({ signal: during.signal });
    during.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await stop();
    skills.registerProvider({
      ...provider("p", [candidate("a", 1)]),
      get: () => new Promise(() => undefined),
    });
    await skills.list();
    await expect(skills.list({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const loading = new AbortController();
    const skill = skills.get("a", { signal: loading.signal });
    setImmediate(() => loading.abort(reason));
    await expect(skill).rejects.toBe(reason);
  });
});

test("what is not admitted lets the next one forward", async () => {
  const skills = new SkillRegistry({ log, maxEntries: () => 1, admits: ({ rank }) => rank > 100 });
  skills.registerProvider(provider("p", [candidate("a", 100, "off"), candidate("a", 200, "next")]));
  expect(await skills.list()).toMatchObject([{ description: "next" }]);
});
