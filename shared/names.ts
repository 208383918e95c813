/** Agent Skills specification, `name`; length is judged apart (spec 3, Frontmatter). */
const skillName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** A plugin's name is part of ids, tool origins and folder names, so no separator and no `..` fits. */
const pluginName = /^[A-Za-z0-9](?:[A-Za-z0-9_-]|\.(?!\.|$)){0,63}$/;
const windowsDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export const isSkillName = (text: string): boolean => skillName.test(text);
export const isPluginName = (text: string): boolean => pluginName.test(text) && !windowsDevice.test(text);

/** `docs:pdf` → `{plugin: "docs", name: "pdf"}`; both halves are validated apart (spec 3). Undefined for no name. */
export function splitSkillName(
  text: string,
): { readonly plugin: string | null; readonly name: string } | undefined {
  const colon = text.indexOf(":");
  const plugin = colon < 0 ? null : text.slice(0, colon);
  const name = text.slice(colon + 1);
  if (!isSkillName(name) || (plugin !== null && !isPluginName(plugin))) return undefined;
  return { plugin, name };
}

/** The nearest name that the pattern allows (`PDF Forms` → `pdf-forms`); empty where no letter of it can stay. */
export const correctedSkillName = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 64)
    .replace(/^-+|-+$/g, "");
