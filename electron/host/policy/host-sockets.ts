import fs from "node:fs";
import path from "node:path";
import { realOrGiven } from "../config/real-or-given.ts";
import { linkTargetOrNone, lookOrNone, textOrNone } from "../kit/files.ts";

/**
 * The names that sockets of this network namespace are bound to (proc_net(5), `unix`): absolute ones, and relative ones,
 * whose folder the kernel does not tell. Abstract names (`@…`) are no files.
 */
export function boundNames(text: string): { readonly absolute: string[]; readonly relative: string[] } {
  const names = text.split("\n").flatMap((line) => /^(?:\S+ +){6}\d+ (.+)$/.exec(line)?.[1] ?? []);
  const files = [...new Set(names)].filter((name) => !name.startsWith("@"));
  return {
    absolute: files.filter((name) => name.startsWith("/")),
    relative: files.filter((name) => !name.startsWith("/")),
  };
}
/** The places of `/proc/self/mountinfo`, with its octal escapes undone. */
export const mountPoints = (text: string): string[] =>
  text.split("\n").flatMap((line) => {
    const place = line.split(" ")[4];
    return place === undefined
      ? []
      : [
          place.replaceAll(/\\(\d{3})/g, (_, digits: string) =>
            String.fromCharCode(Number.parseInt(digits, 8)),
          ),
        ];
  });

/**
 * Finds the socket files through which a confined process could reach what runs outside: those that something listens on,
 * and those mounted here from elsewhere (a container's docker.sock). Linux. The function that it gives looks anew at each
 * call; what lies in `elsewhere`, folders that are replaced in the sandbox as a whole, is left out.
 */
export function createSocketFinder(): (elsewhere: readonly string[]) => string[] {
  let mounts = { text: "", sockets: [] as readonly string[] };
  return (elsewhere) => {
    const { absolute, relative } = boundNames(textOf("/proc/net/unix"));
    const near = relative.length === 0 ? [] : workingFolders();
    const named = [...absolute, ...near.flatMap((folder) => relative.map((name) => path.join(folder, name)))];
    const candidates = named.filter((name) => !elsewhere.some((folder) => name.startsWith(`${folder}/`)));
    const bound = [...new Set(candidates.map((name) => realOrGiven(name)))].filter(isSocket);
    const text = textOf("/proc/self/mountinfo");
    // What is mounted somewhere changes only with this text.
    if (text !== mounts.text) mounts = { text, sockets: mountPoints(text).filter(isSocket) };
    return [...new Set([...bound, ...mounts.sockets])];
  };
}

const isSocket = (file: string): boolean => lookOrNone(file)?.isSocket() === true;
/** A relative name was taken from the folder that its program was in, mostly the one that it is in still. */
function workingFolders(): string[] {
  const pids = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  // Of one that ended, or is somebody else's, there is nothing to see.
  return [...new Set(pids.flatMap((pid) => linkTargetOrNone(`/proc/${pid}/cwd`) ?? []))];
}
/** Empty on a system without /proc, which has no bubblewrap either. */
const textOf = (file: string): string => textOrNone(file) ?? "";
