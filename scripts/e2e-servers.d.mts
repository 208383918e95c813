/** The folder whose `node_modules` holds the packages, or why they cannot be had. `large`: those of `npm run soak`. */
export function fetchServers(
  which?: "small" | "large",
): { readonly folder: string } | { readonly missing: string };
/** A Node of at least 22; `folder` is what `fetchServers` gave. */
export function newerNode(folder: string): string | undefined;
