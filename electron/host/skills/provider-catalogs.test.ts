import { describe, expect, test } from "vitest";
import { candidate, later, names, provider, registry, warnings } from "./registry.testkit.ts";
import type { SkillCandidate, SkillLookupOptions } from "./types.ts";

describe("cache and failure", () => {
  test("a completed catalog is kept by folder and provider, the oldest go", async () => {
    const skills = registry(2);
    const fake = provider("p", []);
    skills.registerProvider(fake);
    for (const cwd of ["/a", "/a", "/b", "/a"]) await skills.list({ cwd });
    expect(fake.lists.map(({ cwd }) => cwd)).toEqual(["/a", "/b", "/a"]);
    const none = registry(0);
    const asked = provider("p", [candidate("a", 1)]);
    none.registerProvider(asked);
    for (let time = 0; time < 3; time++) await none.list({ cwd: "/a" });
    expect(asked.lists).toHaveLength(3);
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

describe("discovery", () => {
  /** Its lists wait until they are let go. */
  function slow(name: string) {
    const waiting: ((list: readonly SkillCandidate[]) => void)[] = [];
    const fake = provider(name, []);
    const list = (options: SkillLookupOptions): Promise<readonly SkillCandidate[]> => {
      fake.lists.push(options);
      return new Promise((resolve) => waiting.push(resolve));
    };
    return {
      fake: { ...fake, list },
      lists: fake.lists,
      answer: (list: readonly SkillCandidate[]): void =>
        waiting.splice(0).forEach((resolve) => resolve(list)),
    };
  }

  test("concurrent lists for one folder share one, for two folders they do not", async () => {
    const skills = registry();
    const { fake, lists, answer } = slow("p");
    skills.registerProvider(fake);
    const all = Promise.all([
      skills.list({ cwd: "/a" }),
      skills.list({ cwd: "/a" }),
      skills.list({ cwd: "/b" }),
    ]);
    await later();
    expect(lists.map(({ cwd }) => cwd)).toEqual(["/a", "/b"]);
    answer([candidate("a", 1)]);
    expect((await all).map(names)).toEqual([["a"], ["a"], ["a"]]);
  });
  test("who may stop joins who may not, and stopping ends nobody else's", async () => {
    const skills = registry();
    const { fake, lists, answer } = slow("p");
    skills.registerProvider(fake);
    const patient = skills.list();
    const stop = new AbortController();
    const hasty = skills.list({ signal: stop.signal });
    await later();
    expect(lists).toHaveLength(1);
    const reason = new Error("enough");
    stop.abort(reason);
    await expect(hasty).rejects.toBe(reason);
    answer([candidate("a", 1)]);
    expect(names(await patient)).toEqual(["a"]);
  });
  test("who may not stop never waits for a discovery that somebody else may stop", async () => {
    const skills = registry();
    const { fake, lists, answer } = slow("p");
    skills.registerProvider(fake);
    const stop = new AbortController();
    const hasty = skills.list({ signal: stop.signal });
    const patient = skills.list();
    await later();
    expect(lists).toHaveLength(2);
    stop.abort(new Error("enough"));
    await expect(hasty).rejects.toThrow("enough");
    answer([candidate("a", 1)]);
    expect(names(await patient)).toEqual(["a"]);
  });
  test("a provider that is taken away while it lists is waited for no longer, and its late answer counts for nothing", async () => {
    const skills = registry();
    const { fake, answer } = slow("hangs");
    skills.registerProvider(provider("q", [candidate("b", 1)]));
    const remove = skills.registerProvider(fake);
    warnings.length = 0;
    const waiting = skills.list();
    await later();
    await remove();
    expect(names(await waiting)).toEqual(["b"]);
    answer([candidate("late", 1)]);
    await later();
    expect(names(await skills.list())).toEqual(["b"]);
    // It did not fail: somebody took it away.
    expect(warnings).toEqual([]);
  });
  test("a provider that is taken away while it loads has the skill no longer", async () => {
    const skills = registry();
    const remove = skills.registerProvider({
      ...provider("p", [candidate("a", 1)]),
      get: () => new Promise(() => undefined),
    });
    await skills.list();
    const loading = skills.get("a");
    await later();
    await remove();
    expect(await loading).toBeUndefined();
  });
  test("asks once more where something changed meanwhile, and only once more", async () => {
    const skills = registry();
    const fake = provider("p", [candidate("a", 1)]);
    skills.registerProvider({
      ...fake,
      list: async (options) => {
        skills.invalidate();
        return fake.list(options);
      },
    });
    expect(names(await skills.list())).toEqual(["a"]);
    expect(fake.lists).toHaveLength(2);
  });
  test("what is malformed throws for everybody who waits, and is asked for again", async () => {
    const skills = registry();
    let good = false;
    skills.registerProvider({
      ...provider("p", []),
      list: async () => [good ? candidate("a", 1) : ({ name: "a" } as SkillCandidate)],
    });
    const both = await Promise.allSettled([skills.list(), skills.list()]);
    expect(both.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    good = true;
    expect(names(await skills.list())).toEqual(["a"]);
  });
  test("a provider that throws before it waits is one that failed", async () => {
    const skills = registry();
    skills.registerProvider({
      ...provider("bad", []),
      list: () => {
        throw new Error("at once");
      },
    });
    skills.registerProvider(provider("good", [candidate("a", 1)]));
    expect(names(await skills.list())).toEqual(["a"]);
    expect((await skills.snapshot()).failed).toEqual(["bad"]);
  });
  test("forgetting one provider's catalogs leaves the others'", async () => {
    const skills = registry();
    const [p, q] = [provider("p", []), provider("q", [])];
    skills.registerProvider(p);
    skills.registerProvider(q);
    await skills.list();
    skills.invalidate("p");
    await skills.list();
    expect([p.lists.length, q.lists.length]).toEqual([2, 1]);
  });
});
