import { shell } from "electron";
import { NacreError } from "../../shared/errors.ts";
import { externalLink } from "../../shared/link.ts";

/**
 * Hands a link to the system's browser or mail program. The only such place of the app.
 * @throws NacreError `denied` for every scheme but https, http and mailto
 */
export async function openLink(url: string): Promise<void> {
  const link = externalLink(url);
  if (link === undefined)
    throw new NacreError("denied", `${url} is not opened: only https, http and mailto links are`);
  await shell.openExternal(link);
}
