import { describe, expect, it } from "vitest";
import { type OpenEntry, createSecretStore } from "./secrets.ts";

/** A keyring in memory. `broken` has every call fail from then on. */
function makeKeyring() {
  const kept = new Map<string, string>();
  const state = { broken: false, calls: 0 };
  const act = async <T>(value: () => T): Promise<T> => {
    state.calls++;
    if (state.broken) throw new Error("no such interface org.freedesktop.secrets");
    return value();
  };
  const open: OpenEntry = (service, name) => {
    const id = `${service}/${name}`;
    return {
      getPassword: () => act(() => kept.get(id) ?? null),
      setPassword: (value) => act(() => void kept.set(id, value)),
      deleteCredential: () => act(() => kept.delete(id)),
    };
  };
  return { open, kept, state };
}

describe("createSecretStore", () => {
  it("keeps, gives and removes, and leaves no probe behind", async () => {
    const { open, kept } = makeKeyring();
    const store = createSecretStore({ load: async () => open });
    expect(await store.get("openai")).toBeUndefined();
    expect(store.kind).toBe("keyring");
    await store.set("openai", "secret");
    expect(await store.get("openai")).toBe("secret");
    expect([...kept]).toEqual([["nacre/openai", "secret"]]);
    await store.remove("openai");
    expect(kept.size).toBe(0);
  });
  it("loads nothing before it is used, and probes once", async () => {
    const { open, state } = makeKeyring();
    let loads = 0;
    const store = createSecretStore({ load: async () => (loads++, open) });
    expect([store.kind, loads]).toEqual(["none", 0]);
    expect(await Promise.all([store.probe(), store.probe()])).toEqual(["keyring", "keyring"]);
    expect([loads, state.calls]).toEqual([1, 3]);
  });
  it.each([
    ["that cannot be loaded", () => Promise.reject(new Error("no native module"))],
    [
      "that cannot be reached",
      async (): Promise<OpenEntry> => {
        const { open, state } = makeKeyring();
        state.broken = true;
        return open;
      },
    ],
    [
      "that forgets",
      async (): Promise<OpenEntry> => () => ({
        getPassword: async () => null,
        setPassword: async () => undefined,
        deleteCredential: async () => false,
      }),
    ],
  ])("has none where there is one %s, and names the variable to use", async (_, load) => {
    const store = createSecretStore({ load });
    expect(await store.get("open-ai/key")).toBeUndefined();
    await expect(store.set("open-ai/key", "x")).rejects.toMatchObject({
      code: "needs_setup",
      message: expect.stringContaining("${OPEN_AI_KEY}") as unknown,
    });
    await store.remove("open-ai/key");
    expect(store.kind).toBe("none");
  });
  it("says that a keyring which was there refuses", async () => {
    const { open, state } = makeKeyring();
    const store = createSecretStore({ load: async () => open });
    await store.probe();
    state.broken = true;
    await expect(store.get("a")).rejects.toMatchObject({ code: "unavailable" });
    await expect(store.set("a", "b")).rejects.toMatchObject({ code: "unavailable" });
  });
  it("answers on this machine, whatever it has", async () => {
    expect(["keyring", "none"]).toContain(await createSecretStore().probe());
  });
});
