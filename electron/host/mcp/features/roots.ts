import path from "node:path";
import { pathToFileURL } from "node:url";

/** What `roots/list` answers. */
export interface RootsResult {
  readonly roots: { readonly uri: string; readonly name: string }[];
  readonly [key: string]: unknown;
}
/** The folders in which the app works, the workspace first (MCP 2025-11-25, Roots). */
export const rootsResult = (folders: readonly string[]): RootsResult => ({
  roots: folders.map((folder, index) => ({
    uri: pathToFileURL(folder).href,
    name: index === 0 ? "workspace" : path.basename(folder),
  })),
});
/** Whether a server at an address runs on this computer: others can do nothing with our folders, and learn nothing of them. */
export const isOnThisComputer = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
