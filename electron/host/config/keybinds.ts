import { isObject } from "../../../shared/json.ts";
import type { Report } from "./fields.ts";
import type { Config } from "./types.ts";

const modifiers = ["ctrl", "cmd", "meta", "mod", "alt", "option", "shift", "super"];
const named =
  /^([^\s+]|plus|space|enter|return|escape|esc|tab|backspace|delete|insert|home|end|pageup|pagedown|up|down|left|right|f([1-9]|1\d|2[0-4]))$/u;
const example = 'write "ctrl+x n", a list of such texts, or false for none';

/**
 * Reads `<config>/keybinds.json`: names of actions to keys (`"ctrl+k"`, `"ctrl+x n"` for one after the other), a list of
 * keys, or false for none. What cannot be used is reported and leaves the action its own keys.
 */
export function parseKeybinds(raw: unknown, report: Report): Config["keybinds"] {
  if (raw === undefined) return {};
  const problem = (pointer: string[], message: string): void =>
    report({ pointer, code: "keybinds-invalid", severity: "error", message, fix: example });
  if (!isObject(raw)) {
    problem([], "the file is no map of actions to keys");
    return {};
  }
  return Object.fromEntries(
    Object.entries(raw).flatMap(([action, value]): [string, readonly string[]][] => {
      if (action.startsWith("$")) return [];
      const keys = value === false || value === null ? [] : Array.isArray(value) ? value : [value];
      const good = keys.filter((key): key is string => typeof key === "string" && isKeys(key));
      if (good.length < keys.length)
        problem(
          [action],
          `${action} names keys that there are not: ${shown(keys.filter((key) => !good.includes(key)))}`,
        );
      return good.length > 0 || keys.length === 0 ? [[action, good]] : [];
    }),
  );
}
const shown = (keys: readonly unknown[]): string => JSON.stringify(keys).slice(0, 100);

/** One or more strokes, each of modifiers and one key. */
const isKeys = (text: string): boolean =>
  text.trim() !== "" &&
  text
    .trim()
    .toLowerCase()
    .split(/\s+/)
    .every((stroke) => {
      const parts = stroke.split("+");
      const key = parts.pop() ?? "";
      return named.test(key) && parts.every((part) => modifiers.includes(part));
    });
