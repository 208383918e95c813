import { domainToUnicode } from "node:url";
import { isExact } from "./match-pattern.ts";
import { type RuleSubject } from "./rules.ts";
import type { GateInput } from "./gate.ts";
import { type ShellCommand, splitShellCommand } from "./shell-command.ts";

type CallTouch = Pick<GateInput, "command" | "commandIsOpaque" | "hosts" | "paths" | "names"> &
  Partial<Pick<GateInput, "tool">>;

/** What rules on a call are about: each part of its command, each host, each path; nothing where it names none. */
export function callSubjects(call: CallTouch): RuleSubject[] {
  const { hosts, paths, names } = call;
  return [
    ...commandSubjects(call),
    ...hosts.map(hostSubject),
    ...paths.map((path) => ({ names: path.names, hints: [path.given], anyCase: path.anyCase === true })),
    ...(names === undefined || names.length === 0 ? [] : [{ names }]),
  ];
}
/**
 * Host names compare without case, without the root's dot and without an address's brackets. Who allows writes what is
 * connected to (`xn--…`); who denies may write it as it is read.
 */
function hostSubject(host: string): RuleSubject {
  const name = host.toLowerCase().replace(/\.$/, "");
  const bare = /^\[.*\]$/.test(name) ? [name.slice(1, -1)] : [];
  return { names: [name, ...bare], hints: [host, domainToUnicode(name)], anyCase: true };
}

/** A command in another shell's language is not taken apart: then no pattern but `*`, or the very text, allows it. */
export const readCommand = ({ command = "", commandIsOpaque }: CallTouch): ShellCommand => {
  const read = splitShellCommand(command);
  return commandIsOpaque === true ? { ...read, complete: false } : read;
};
function commandSubjects(call: CallTouch): RuleSubject[] {
  const { command } = call;
  if (command === undefined) return [];
  const { parts, complete } = readCommand(call);
  // The same part says nothing new.
  const distinct = new Map(parts.map((part) => [part.text, part]));
  const subjects: RuleSubject[] = [...distinct.values()].map((part) => ({
    ...(part.oddProgram ? { names: [], exact: part.text } : { names: [part.text] }),
    hints: [...new Set([part.text, ...part.spellings])].slice(part.oddProgram ? 0 : 1),
    whole: command,
  }));
  // What could not be read is allowed by no pattern but `*`.
  if (!complete || subjects.length === 0) subjects.push({ names: [], whole: command });
  return subjects;
}

/**
 * The rule that "always here" would store for a call, as `tool:pattern`; null where none can say exactly this call:
 * several paths or hosts, or a wildcard in what it names. A tool with a borrowed name is stored as `OWNER/NAME`.
 */
export function ruleToStore(ownName: string, touch: CallTouch): string | null {
  const tool = touch.tool?.forAllow?.[0] ?? ownName;
  const subjects = callSubjects(touch);
  if (subjects.length === 0) return tool;
  const only = touch.command ?? (subjects.length === 1 ? subjects[0]?.names[0] : undefined);
  if (only === undefined || !isExact(only)) return null;
  const { parts, complete } = readCommand(touch);
  const part = complete && parts.length === 1 ? parts[0]?.text : undefined;
  return `${tool}:${part !== undefined && isExact(part) ? part : only}`;
}
