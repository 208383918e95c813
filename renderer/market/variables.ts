import type { PlanVariable } from "../../shared/market.ts";

export type VariableValues = Readonly<Record<string, string>>;

/** What the form holds at first: the defaults, and what was typed before for keys that are still asked. */
export const initialValues = (asked: readonly PlanVariable[], typed: VariableValues = {}): VariableValues =>
  Object.fromEntries(asked.map(({ key, default: fallback }) => [key, typed[key] ?? fallback ?? ""]));

/** Keys that are required and empty, in the order of the form. */
export const missingKeys = (asked: readonly PlanVariable[], values: VariableValues): string[] =>
  asked.filter(({ key, required }) => required && (values[key] ?? "") === "").map(({ key }) => key);

/** What is sent: everything that is not empty. */
export const givenValues = (values: VariableValues): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
