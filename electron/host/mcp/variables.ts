/** Gives a variable's value; undefined where it is not set. */
export type Lookup = (name: string) => string | undefined;

const reference = /\$\{(?:(env|secret):)?([A-Za-z_][\w./-]*)(?::-([^}]*))?\}/g;

/** Where values come from. `${secret:NAME}` is read from the secret store, everything else from `variable`. */
export interface Sources {
  readonly variable: Lookup;
  readonly secret: Lookup;
}
/** What one declaration's strings named while they were expanded. */
export interface Expansion {
  /** Names without a value and without a default, in order, once each; a secret as `secret:NAME`. */
  readonly missing: string[];
  /** Values that came from the secret store or from a variable that sounds like a secret; to be masked. */
  readonly secrets: string[];
}

/** True for names whose values are never shown: `GITHUB_TOKEN`, `api_key`, `Authorization`. */
export const soundsSecret = (name: string): boolean =>
  /key|token|secret|passw|pwd|credential|auth|cookie|session/i.test(name);

/** The secrets that a text names: `${secret:NAME}` → `NAME`. */
export const secretNames = (text: string): string[] =>
  [...text.matchAll(reference)].flatMap((match) => (match[1] === "secret" ? [match[2] ?? ""] : []));

/**
 * Replaces `${NAME}` and `${NAME:-default}` (spec 6), and VS Code's `${env:NAME}`. As in a shell, `:-` also answers for
 * an empty value. A name without value and default is left as it stands and noted in `expansion.missing`.
 */
export function expand(text: string, sources: Sources, expansion: Expansion): string {
  return text.replaceAll(
    reference,
    (whole, kind: string | undefined, name: string, fallback: string | undefined) => {
      const value = kind === "secret" ? sources.secret(name) : sources.variable(name);
      if (value !== undefined && (value !== "" || fallback === undefined)) {
        if (kind === "secret" || soundsSecret(name)) expansion.secrets.push(value);
        return value;
      }
      if (fallback !== undefined) return fallback;
      const label = kind === "secret" ? `secret:${name}` : name;
      if (!expansion.missing.includes(label)) expansion.missing.push(label);
      return whole;
    },
  );
}
