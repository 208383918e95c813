/**
 * What may cross a border, as text: JSON, `undefined`, errors by their message and, over the context bridge, functions.
 * Throws as Electron does on what cannot be cloned. The function's source also runs in both worlds of the page.
 */
export function codec() {
  type Callable = (...args: unknown[]) => unknown;
  const refuse = (): never => {
    throw new Error("An object could not be cloned.");
  };
  /** @param nameFunction gives a function's number; without it functions cannot cross. */
  const encode = (value: unknown, nameFunction?: (callable: Callable) => number): string => {
    const walk = (item: unknown): unknown => {
      if (item === undefined) return { kind: "undefined" };
      if (typeof item === "function")
        return nameFunction ? { kind: "function", value: nameFunction(item as Callable) } : refuse();
      if (item === null || typeof item === "string" || typeof item === "boolean") return item;
      if (typeof item === "number" && Number.isFinite(item)) return item;
      if (item instanceof Error) return { kind: "error", value: item.message };
      if (typeof item !== "object") return refuse();
      if (Array.isArray(item)) return item.map(walk);
      const prototype = Object.getPrototypeOf(item) as object | null;
      // Electron carries dates, maps and buffers too; the messages of this app hold none.
      if (prototype !== null && !Object.hasOwn(prototype, "isPrototypeOf")) return refuse();
      return { kind: "object", value: Object.entries(item).map(([key, member]) => [key, walk(member)]) };
    };
    const holdsFunction = (item: unknown): boolean =>
      typeof item === "function" ||
      (item !== null && typeof item === "object" && Object.values(item).some(holdsFunction));
    // The one test that tells a proxy from a plain object; it knows no functions.
    if (!holdsFunction(value)) {
      try {
        structuredClone(value);
      } catch {
        refuse();
      }
    }
    return JSON.stringify(walk(value));
  };
  /** @param makeFunction gives a function that calls the one of that number on the other side. */
  const decode = (text: string, makeFunction?: (number: number) => Callable): unknown => {
    const walk = (item: unknown): unknown => {
      if (Array.isArray(item)) return item.map(walk);
      if (item === null || typeof item !== "object") return item;
      const { kind, value } = item as { kind: string; value: unknown };
      if (kind === "undefined") return undefined;
      if (kind === "function") return makeFunction?.(value as number);
      if (kind === "error") return new Error(value as string);
      return Object.fromEntries((value as [string, unknown][]).map(([key, member]) => [key, walk(member)]));
    };
    return walk(JSON.parse(text));
  };
  return { encode, decode };
}
export type Codec = ReturnType<typeof codec>;
