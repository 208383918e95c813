import type { Input, Output } from "../../../../shared/contract/index.ts";
import { isObject } from "../../../../shared/json.ts";
import { describe } from "../call-errors.ts";
import type { McpServer } from "../server.ts";
import type { Offers } from "./offers.ts";
import { promptArguments } from "./prompt-arguments.ts";

/** A proposal that comes later helps nobody who types. */
const usualLimitMs = 3000;
/** MCP 2025-11-25, Completion: at most 100 values. */
const mostValues = 100;
const longestValue = 1000;

/** Values that servers propose while a person types (`completion/complete`). A newer question takes the place of an older one. */
export class Completion {
  readonly #asking = new Map<string, AbortController>();
  readonly #offers: Offers;
  readonly #limitMs: number;
  constructor(offers: Offers, limitMs = usualLimitMs) {
    this.#offers = offers;
    this.#limitMs = limitMs;
  }
  /** Empty where the server proposes nothing, cannot, fails or is slow; the last two stand in its log. */
  async complete(
    server: McpServer,
    asked: Omit<Input<"mcp.complete">, "name">,
    signal: AbortSignal,
  ): Promise<Output<"mcp.complete">> {
    const { connection } = server;
    if (connection === undefined || !("completions" in connection.capabilities)) return { values: [] };
    this.#asking.get(server.name)?.abort();
    const controller = new AbortController();
    this.#asking.set(server.name, controller);
    const limit = AbortSignal.timeout(this.#limitMs);
    try {
      const result = await connection.request(
        "completion/complete",
        this.#params(server, asked),
        { timeoutMs: this.#limitMs },
        AbortSignal.any([signal, controller.signal, limit]),
      );
      return { values: valuesOf(result) };
    } catch (error) {
      if (!signal.aborted && !controller.signal.aborted)
        server.log.note(`completion/complete failed: ${describe(error)}`);
      return { values: [] };
    } finally {
      if (this.#asking.get(server.name) === controller) this.#asking.delete(server.name);
    }
  }
  #params(server: McpServer, { ref, argument, given = {} }: Omit<Input<"mcp.complete">, "name">) {
    const prompt =
      "prompt" in ref ? this.#offers.of(server).prompts.find(({ name }) => name === ref.prompt) : undefined;
    // What is typed for an argument may be another word than the server's own.
    const nameOf = prompt ? promptArguments(prompt).nameOf : new Map<string, string>();
    const named = Object.entries(given).map(([name, value]) => [nameOf.get(name) ?? name, value] as const);
    return {
      ref:
        "prompt" in ref
          ? { type: "ref/prompt", name: ref.prompt }
          : { type: "ref/resource", uri: ref.template },
      argument: { name: nameOf.get(argument.name) ?? argument.name, value: argument.value },
      ...(named.length === 0 ? {} : { context: { arguments: Object.fromEntries(named) } }),
    };
  }
}
function valuesOf(result: unknown): readonly string[] {
  const completion = isObject(result) ? result["completion"] : undefined;
  const values = isObject(completion) ? completion["values"] : undefined;
  return (Array.isArray(values) ? values : [])
    .filter((value): value is string => typeof value === "string" && value.length <= longestValue)
    .slice(0, mostValues);
}
