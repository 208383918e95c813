import { NacreError } from "../../../../shared/errors.ts";
import type { Tool, ToolOutput } from "../types.ts";

type Input = Readonly<Record<string, unknown>>;

// The schema was checked before a tool runs; what is wrong here is a fault of the tool itself.
const fault = (name: string, wanted: string): NacreError =>
  new NacreError("internal", `the argument ${name} is no ${wanted}, although its schema says so`);

export function textArgument(input: Input, name: string): string;
export function textArgument(input: Input, name: string, absent: string): string;
export function textArgument(input: Input, name: string, absent?: string): string {
  const value = input[name] ?? absent;
  if (typeof value !== "string") throw fault(name, "text");
  return value;
}
export function numberArgument(input: Input, name: string, absent: number): number {
  const value = input[name] ?? absent;
  if (typeof value !== "number") throw fault(name, "number");
  return value;
}
export const flagArgument = (input: Input, name: string): boolean => input[name] === true;
export function listArgument(input: Input, name: string): string[] {
  const value = input[name] ?? [];
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw fault(name, "list of text");
  return value;
}

/** What every built-in tool has in common. */
export const builtin = (tool: Omit<Tool, "title" | "origin">): Tool => ({
  ...tool,
  title: tool.name,
  origin: { kind: "builtin", owner: "nacre" },
});
/** An object schema that knows its properties and no others. */
export const objectSchema = (properties: Readonly<Record<string, object>>, required: readonly string[]) =>
  ({ type: "object", properties, required, additionalProperties: false }) as const;

/** A result of a tool that started no process. */
export const done = (output: string, more: Partial<ToolOutput> = {}): ToolOutput => ({
  output,
  isError: false,
  sandboxed: null,
  ...more,
});
