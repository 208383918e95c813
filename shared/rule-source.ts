/** Where a permission rule stands (`Rule.source`), in words. */
export function ruleSourceText(source: string): string {
  const [kind = "", ...rest] = source.split(":");
  const name = rest.join(":");
  if (kind === "settings") return "settings.json";
  if (kind === "always") return 'an "always here" answer';
  if (kind === "session") return 'a "this session" answer';
  return kind === "role" ? `the role ${name}` : name || source;
}
