import type { CustomScheme } from "electron";
import type { Route } from "playwright-core";

type Handler = (request: Request) => Response | Promise<Response>;

/** Chromium refuses schemes that it does not know: `app://bundle/x` is loaded as `https://bundle.app.scheme.test/x`. */
const privileged = new Set<string>();
const handlers = new Map<string, Handler>();

export function registerSchemes(schemes: readonly CustomScheme[]): void {
  for (const { scheme } of schemes) privileged.add(scheme);
}
export function handleScheme(scheme: string, handler: Handler): void {
  if (handlers.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
  handlers.set(scheme, handler);
}
/** The address that Chromium loads for one of the app. */
export const toWeb = (url: string): string =>
  url.replace(/^([\w-]+):\/\/([^/?#]+)/, (whole, scheme: string, host: string) =>
    privileged.has(scheme) ? `https://${host}.${scheme}.scheme.test` : whole,
  );
/** The address of the app for one that Chromium shows. */
export const toApp = (url: string): string =>
  url.replace(/^https:\/\/([^/?#]+)\.([\w-]+)\.scheme\.test/, "$2://$1");

/** Answers one request of a page from the app's own handler. @returns false where no scheme of the app is meant. */
export async function fulfil(route: Route): Promise<boolean> {
  const request = route.request();
  const url = toApp(request.url());
  const handler = handlers.get(url.slice(0, url.indexOf(":")));
  if (!handler) return false;
  const response = await handler(
    new Request(url, { method: request.method(), headers: await request.allHeaders() }),
  );
  await route.fulfill({
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body: Buffer.from(await response.arrayBuffer()),
  });
  return true;
}
