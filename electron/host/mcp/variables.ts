/** Gives a variable's value; undefined where it is not set. */
type Lookup = (name: string) => string | undefined;

const reference = /\$\{(?:secret:([^}]+?)|(?:env:)?([A-Za-z_]\w*))(?::-([^}]*))?\}/g;

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
  [...text.matchAll(reference)].flatMap(([, name]) => (name === undefined ? [] : [name]));

/**
 * Replaces `${NAME}` and `${NAME:-default}` (spec 6), and VS Code's `${env:NAME}`. As in a shell, `:-` also answers for
 * an empty value. A name without value and default is left as it stands and noted in `expansion.missing`.
 */
export function expand(text: string, sources: Sources, expansion: Expansion): string {
  return text.replaceAll(
    reference,
    (whole, secret: string | undefined, name: string | undefined, fallback: string | undefined) => {
      const value = secret === undefined ? sources.variable(name ?? "") : sources.secret(secret);
      if (value !== undefined && (value !== "" || fallback === undefined)) {
        if (secret !== undefined || soundsSecret(name ?? "")) expansion.secrets.push(value);
        return value;
      }
      if (fallback !== undefined) return fallback;
      const label = secret === undefined ? (name ?? "") : `secret:${secret}`;
      if (!expansion.missing.includes(label)) expansion.missing.push(label);
      return whole;
    },
  );
}
