/** What disks pass over in a name: the marks of direction and the characters without width. */
const passedOver = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

/**
 * A file's name as the loosest disk compares it: without case, without the dots and blanks at its end that Windows drops,
 * without what an Apple disk passes over, compatible letters (`ſ`, `K`) as the ones they stand for, without the stream
 * that NTFS takes behind a colon. For names that must not be missed; never to find a file.
 */
export const comparableName = (name: string): string =>
  name
    .replace(passedOver, "")
    .normalize("NFKC")
    .toLowerCase()
    .replace(/(?<=.):.*$/s, "")
    .replace(/[. ]+$/, "");

const keyFiles =
  /^(id_(rsa|dsa|ecdsa|ed25519)(_sk)?|\.netrc|\.pypirc|\.git-credentials|.*\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx))$/;
/** `.env`, `.env.local`; `.env.example` and the like hold no secrets. */
export function isSecretName(name: string): boolean {
  const plain = comparableName(name);
  const isEnvironment = /^\.env(rc|\..+)?$/.test(plain);
  return (
    (isEnvironment && !/\.(example|sample|template|dist|defaults?)$/.test(plain)) || keyFiles.test(plain)
  );
}

const devices = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])([. ].*|:.*)?$/i;
/**
 * Whether Windows opens something else than a path says. Pure: of the text alone, also where it runs elsewhere.
 * `C:foo` counts from that drive's own folder, `\\?\` and `\\.\` skip all rules, `\\server\share` is another machine,
 * `file:stream` is a part of a file (and `.git::$INDEX_ALLOCATION` a folder), `GIT~1` a short name, `NUL.txt` a device,
 * and dots and blanks at the end of a name are dropped. Source: learn.microsoft.com, Naming Files, Paths, and Namespaces.
 */
export function isDoubtfulOnWindows(file: string): boolean {
  const slashed = file.replaceAll("/", "\\");
  if (slashed.startsWith("\\\\")) return true;
  const drive = /^[a-z]:/i.exec(slashed)?.[0] ?? "";
  const rest = slashed.slice(drive.length);
  if (drive !== "" && !rest.startsWith("\\")) return true;
  return rest.split("\\").some(isDoubtfulName);
}
const isDoubtfulName = (name: string): boolean =>
  name.includes(":") ||
  /~\d/.test(name) ||
  devices.test(name) ||
  (/[. ]$/.test(name) && !/^\.{1,2}$/.test(name));
