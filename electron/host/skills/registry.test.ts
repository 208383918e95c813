import { describe, expect, test } from "vitest";
import { SkillRegistry } from "./registry.ts";
import { candidate, deepFreeze, log, names, provider, registry } from "./registry.testkit.ts";
import type { SkillCandidate } from "./types.ts";

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
    expect((await skills.snapshot()).candidates.map(({ name, rank }) => `${name}${rank}`)).toEqual([
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

describe("registration", () => {
  test("is synchronous: the next list has it, and no list is asked for before", async () => {
    const skills = registry();
    const fake = provider("p", [candidate("a", 1)]);
    expect(skills.registerProvider(fake)).toBeTypeOf("function");
    expect(fake.lists).toEqual([]);
    expect(names(await skills.list())).toEqual(["a"]);
  });
  test("names of providers are unique, while they are registered", async () => {
    const skills = registry();
    const remove = skills.registerProvider(provider("p", []));
    expect(() => skills.registerProvider(provider("p", []))).toThrow("registered already");
    await remove();
    skills.registerProvider(provider("p", [candidate("a", 1)]));
    // Its predecessor's disposer has nothing to take away any more.
    await remove();
    expect(names(await skills.list())).toEqual(["a"]);
  });
  test("a disposer takes its provider's skills away and is told of; twice is once", async () => {
    const skills = registry();
    const remove = skills.registerProvider(provider("p", [candidate("a", 1)]));
    await skills.list();
    let told = 0;
    skills.onChange.on(() => void told++);
    await remove();
    await remove();
    expect(told).toBe(1);
    expect(await skills.list()).toEqual([]);
  });
  test("what is borrowed is read and never changed", async () => {
    const skills = registry();
    const own = deepFreeze({
      ...candidate("a", 1),
      whenToUse: "often",
      metadata: { deep: { er: ["x"] } },
      needs: { tools: ["grep"] },
      resourceBase: { kind: "directory" as const, path: "/x" },
    });
    const definition = deepFreeze({ ...own, content: "text" });
    skills.registerProvider(
      deepFreeze({ name: "p", list: async () => deepFreeze([own]), get: async () => definition }),
    );
    const options = deepFreeze({ cwd: "/w" });
    expect(names(await skills.list(options))).toEqual(["a"]);
    const got = await skills.get("a", options);
    expect(got).not.toBe(definition);
    expect(got).toMatchObject({ content: "text", metadata: { deep: { er: ["x"] } }, provider: "p" });
  });
  test.each([
    ["a number", 7],
    ["a symbol", Symbol("s")],
    ["nothing", undefined],
    ["a function", () => undefined],
  ])("a locator is opaque: %s", async (_what, locator) => {
    const skills = registry();
    const fake = provider("p", [{ ...candidate("a", 1), locator }]);
    skills.registerProvider(fake);
    await skills.get("a");
    expect(fake.gets[0]?.[0].locator).toBe(locator);
  });
  test("a definition of another name is the provider's fault", async () => {
    const skills = registry();
    skills.registerProvider({
      ...provider("p", [candidate("a", 1)]),
      get: async (wanted) => ({ ...wanted, name: "b", content: "" }),
    });
    await expect(skills.get("a")).rejects.toThrow("asked for a and handed over b");
  });
});

describe("conversations", () => {
  test("only a provider that answers each apart hears of one, and each has its own catalog", async () => {
    const skills = registry();
    const common = provider("common", []);
    const own = provider("own", []);
    skills.registerProvider(common);
    skills.registerProvider({ ...own, perSession: true });
    for (const sessionId of ["1", "2", "1"]) await skills.list({ cwd: "/w", sessionId });
    await skills.list({ cwd: "/w" });
    expect(common.lists).toEqual([{ cwd: "/w" }]);
    expect(own.lists).toEqual([{ cwd: "/w", sessionId: "1" }, { cwd: "/w", sessionId: "2" }, { cwd: "/w" }]);
  });
});

test("the row of run-time skills that is switched off lists none of them, and gives them back", async () => {
  let on = false;
  const skills = new SkillRegistry({ log, maxEntries: () => 1, isRuntimeOn: () => on });
  skills.register({ name: "r", description: "D.", source: "runtime", content: "text" });
  expect(await skills.list()).toEqual([]);
  on = true;
  skills.invalidate();
  expect(names(await skills.list())).toEqual(["r"]);
});
test("what is not admitted lets the next one forward", async () => {
  const skills = new SkillRegistry({ log, maxEntries: () => 1, admits: ({ rank }) => rank > 100 });
  skills.registerProvider(provider("p", [candidate("a", 100, "off"), candidate("a", 200, "next")]));
  expect(await skills.list()).toMatchObject([{ description: "next" }]);
});
