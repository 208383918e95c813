/** Where a model's key is kept: never the key itself. */
export interface KeyReference {
  readonly kind: "variable" | "secret";
  readonly name: string;
}

/** `${NAME}` or `secret:NAME`; undefined for anything else, such as the key itself. */
export function keyReference(text: string): KeyReference | undefined {
  const variable = /^\$\{([A-Za-z_]\w*)\}$/.exec(text.trim())?.[1];
  if (variable !== undefined) return { kind: "variable", name: variable };
  const secret = /^secret:(\S+)$/.exec(text.trim())?.[1];
  return secret === undefined ? undefined : { kind: "secret", name: secret };
}
