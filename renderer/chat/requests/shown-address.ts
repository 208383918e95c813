import { externalLink } from "../../../shared/link.ts";

/** An address in three parts, as it is opened: the host between what stands before and behind it. */
export interface ShownAddress {
  readonly before: string;
  readonly host: string;
  readonly behind: string;
  /** Everything that is sent to it can be read on the way. */
  readonly isPlain: boolean;
}
const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** Null for what is never opened: no web address, or one that hides its host behind a user's name. */
export function shownAddress(text: string): ShownAddress | null {
  const address = externalLink(text);
  if (address === undefined || !/^https?:/.test(address)) return null;
  const { protocol, host, hostname } = new URL(address);
  const before = `${protocol}//`;
  return {
    before,
    host,
    behind: address.slice(before.length + host.length),
    isPlain: protocol === "http:" && !loopback.test(hostname),
  };
}
