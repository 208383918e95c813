const schemes = new Set(["https:", "http:", "mailto:"]);

/**
 * The address that may be handed to the system's browser or mail program, as the URL parser spells it; undefined for
 * every other scheme and for what is no absolute URL. Blanks and control characters are refused, though the parser
 * would drop them: what is opened is what was shown. User names in it are refused, as they hide the host.
 */
export function externalLink(text: string): string | undefined {
  if (/[\s\p{Cc}\\]/u.test(text) || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (!schemes.has(url.protocol) || url.username !== "" || url.password !== "") return undefined;
  return url.href;
}
