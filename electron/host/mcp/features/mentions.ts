import { withoutCode } from "../../../../shared/skill-mentions.ts";

/** A resource that a message names: `@docs:file:///a.md`. */
export interface ResourceMention {
  /** The server as it is written. */
  readonly server: string;
  readonly uri: string;
}
/** Blanks stand around one; the address begins with its scheme (RFC 3986, 3.1). */
const mention = /(?<=^|\s)@([^\s:@]+):([a-z][a-z0-9+.-]*:\S+)/giu;
/** What may close a sentence behind an address. */
const closing = /[.,;:!?)\]}"'…。，；：！？、）」』]$/u;

const plainServer = /^[^\s:@]+$/u;
/** A server's name as a mention takes it. */
const serverWord = (server: string): string =>
  plainServer.test(server) ? server : server.replaceAll(/[\s:@]/gu, "_");
const uriWord = (uri: string): string => uri.replaceAll(/\s/gu, (blank) => encodeURIComponent(blank));

/** What a message says to attach a resource: `@docs:file:///a.md`. */
export const mentionOf = (server: string, uri: string): string => `@${serverWord(server)}:${uriWord(uri)}`;

/**
 * The resources that a message mentions, in order, each once; what is code is no mention. `known`: the resources that
 * servers list, so that an address may end with what else would close a sentence, or hold blanks. An address that nobody
 * lists counts too: servers have more than they list.
 */
export function mentionedResources(
  text: string,
  servers: readonly string[],
  known: ReadonlyMap<string, ResourceMention>,
): readonly ResourceMention[] {
  const byWord = new Map(servers.map((server) => [serverWord(server), server]));
  const found = new Map<string, ResourceMention>();
  for (const [, word = "", written = ""] of withoutCode(text).matchAll(mention)) {
    const server = byWord.get(word);
    if (server === undefined) continue;
    let uri = written;
    while (!known.has(`@${word}:${uri}`) && closing.test(uri)) uri = uri.slice(0, -1);
    const one = known.get(`@${word}:${uri}`) ?? { server, uri };
    found.set(`${one.server}\0${one.uri}`, one);
  }
  return [...found.values()];
}
