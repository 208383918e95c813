import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { build } from "vite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as zod from "zod/v4";
import { withoutZod } from "../../../scripts/without-zod.mjs";
import { startModelServer, type Step } from "../../../e2e/fixtures/model-server.mjs";
import type { ModelEvent } from "../../../shared/model.ts";
import type * as Model from "./openai-compatible.ts";
import { safeParseAsync, z } from "./provider-schemas.ts";

describe("the schemas", () => {
  const made = z.looseObject({
    id: z.string().nullish(),
    role: z.enum(["assistant", ""]).nullish(),
    choices: z.array(
      z.object({
        text: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish(),
        refusal: z
          .unknown()
          .nullish()
          .transform((value) => (typeof value === "string" ? value : undefined)),
        usage: z.record(z.string(), z.number()).optional(),
      }),
    ),
  });
  const wanted = zod.looseObject({
    id: zod.string().nullish(),
    role: zod.enum(["assistant", ""]).nullish(),
    choices: zod.array(
      zod.looseObject({
        text: zod.union([zod.string(), zod.array(zod.looseObject({ type: zod.string() }))]).nullish(),
        refusal: zod
          .unknown()
          .nullish()
          .transform((value) => (typeof value === "string" ? value : undefined)),
        usage: zod.record(zod.string(), zod.number()).optional(),
      }),
    ),
  });
  it.each([
    { choices: [] },
    { id: null, extra: 1, choices: [{ text: "a", more: [] }] },
    { role: "assistant", choices: [{ text: [{ type: "text", text: "x" }] }] },
    { choices: [{ refusal: false }, { refusal: "no" }] },
    { choices: [{ usage: { a: 1 } }] },
    { choices: [{ usage: { a: "1" } }] },
    { role: "user", choices: [] },
    { id: 3, choices: [] },
    { error: { message: "x" } },
    { choices: [{ text: 3 }] },
    [],
    null,
    "text",
  ])("take and refuse %j as zod does", async (value) => {
    const ours = await safeParseAsync(made, value);
    const theirs = await zod.safeParseAsync(wanted, value);
    expect(ours.success).toBe(theirs.success);
    if (ours.success) expect(ours.data).toEqual(theirs.data);
  });
});

describe("the bundled provider", () => {
  let folder: string;
  let bundled: Pick<typeof Model, "openAICompatibleModel">;
  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-provider-"));
    await build({
      configFile: false,
      logLevel: "silent",
      plugins: [withoutZod(path.join(import.meta.dirname, "provider-schemas.ts"))],
      ssr: { noExternal: true },
      build: {
        ssr: path.join(import.meta.dirname, "openai-compatible.ts"),
        outDir: folder,
        rolldownOptions: { output: { format: "cjs", entryFileNames: "provider.cjs" } },
      },
    });
    bundled = createRequire(import.meta.url)(path.join(folder, "provider.cjs")) as typeof bundled;
  });
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

  async function collect(step: Step): Promise<{ events: ModelEvent[]; error: unknown }> {
    const server = await startModelServer({ steps: [step] });
    const events: ModelEvent[] = [];
    let error: unknown;
    try {
      const model = bundled.openAICompatibleModel({
        provider: "test",
        model: "any",
        baseUrl: server.url,
        keySource: null,
        fetch: globalThis.fetch,
      });
      const request = { system: "", messages: [{ role: "user", text: "x" } as const], tools: [] };
      for await (const event of model.stream(request, new AbortController().signal)) events.push(event);
    } catch (thrown) {
      error = thrown;
    }
    await server.stop();
    return { events, error };
  }

  it("holds no zod", () => {
    const code = fs
      .readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[cm]?js$/.test(name))
      .map((name) => fs.readFileSync(path.join(folder, name), "utf8"))
      .join("\n");
    expect(code).not.toContain("$ZodType");
  });

  it("streams text, reasoning, calls and usage", async () => {
    const { events, error } = await collect({
      reasoning: ["hm"],
      text: ["hello"],
      toolCalls: [{ id: "c1", name: "grep", input: { a: 1 } }],
    });
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: "reasoning", text: "hm" },
      { type: "text", text: "hello" },
      { type: "tool_call", id: "c1", name: "grep", input: { a: 1 } },
      { type: "usage", usage: { inputTokens: 10, outputTokens: 5 } },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it.each<[Step, string]>([
    [{ error: { status: 401, message: "Incorrect key" } }, "Incorrect key"],
    [{ text: "a", errorAfter: { chunks: 1, message: "overloaded", code: 503 } }, "overloaded"],
    [{ text: "a", breakAfter: 1 }, "broke off"],
  ])("explains %j", async (step, words) => {
    const { error } = await collect(step);
    expect(error).toMatchObject({ name: "NacreError", message: expect.stringContaining(words) as string });
  });
});
