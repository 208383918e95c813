import type { JsonObject } from "../../../shared/json.ts";

/** Names of MCP Apps' style variables and the tokens that stand for them here. */
const variables: Readonly<Record<string, string>> = {
  "--color-background-primary": "--surface",
  "--color-background-secondary": "--raised",
  "--color-background-tertiary": "--sunken",
  "--color-text-primary": "--text",
  "--color-text-secondary": "--text-2",
  "--color-text-tertiary": "--text-3",
  "--color-text-info": "--accent",
  "--color-text-danger": "--bad",
  "--color-text-success": "--ok",
  "--color-text-warning": "--warn",
  "--color-border-primary": "--edge",
  "--color-border-secondary": "--line",
  "--color-ring-primary": "--focus",
  "--font-sans": "--font",
  "--font-mono": "--mono",
};

export interface Surroundings {
  readonly dark: boolean;
  /** A language tag: `zh-CN`. */
  readonly locale: string;
  readonly desktop: boolean;
  /** CSS pixels. */
  readonly width: number;
  readonly maxHeight: number;
}

/** How things look around an app (MCP Apps, `McpUiHostContext`). @param page whose computed style holds the tokens */
export function appContext(
  { dark, locale, desktop, width, maxHeight }: Surroundings,
  page: Element,
): JsonObject {
  const style = getComputedStyle(page);
  return {
    theme: dark ? "dark" : "light",
    locale,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    platform: desktop ? "desktop" : "web",
    displayMode: "inline",
    availableDisplayModes: ["inline"],
    containerDimensions: { width, maxHeight },
    styles: {
      variables: Object.fromEntries(
        Object.entries(variables).map(([name, token]) => [name, style.getPropertyValue(token).trim()]),
      ),
    },
  };
}
