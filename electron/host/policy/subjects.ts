import { isExact, type RuleSubject } from "./rules.ts";
import type { GateInput } from "./gate.ts";
import { splitShellCommand } from "./shell-command.ts";

type CallTouch = Pick<GateInput, "command" | "hosts" | "paths" | "names">;

/** What rules on a call are about: each part of its command, each host, each path; nothing where it names none. */
export function callSubjects({ command, hosts, paths, names }: CallTouch): RuleSubject[] {
  return [
    ...(command === undefined ? [] : commandSubjects(command)),
    ...hosts.map((host) => ({ names: [hostName(host)], hints: [host] })),
    ...paths.map((path) => ({ names: path.names, hints: [path.given] })),
    ...(names === undefined || names.length === 0 ? [] : [{ names }]),
  ];
}
/** Host names compare in lower case and without the root's dot. */
const hostName = (host: string): string => host.toLowerCase().replace(/\.$/, "");

function commandSubjects(command: string): RuleSubject[] {
  const { parts, complete } = splitShellCommand(command);
  const subjects: RuleSubject[] = parts.map((part) => ({
    names: [part.text],
    hints: [part.program, command],
    exact: command,
  }));
  // What could not be read is allowed by no pattern but `*`.
  if (!complete || subjects.length === 0) subjects.push({ names: [], hints: [command], exact: command });
  return subjects;
}

/**
 * The rule that "always here" would store for a call, as `tool:pattern`; null where none can say exactly this call:
 * several paths or hosts, or a wildcard in what it names. `tool` is the tool's own name.
 */
export function ruleToStore(tool: string, touch: CallTouch): string | null {
  const subjects = callSubjects(touch);
  if (subjects.length === 0) return tool;
  const only = touch.command ?? (subjects.length === 1 ? subjects[0]?.names[0] : undefined);
  if (only === undefined || !isExact(only)) return null;
  const { parts, complete } =
    touch.command === undefined ? { parts: [], complete: true } : splitShellCommand(touch.command);
  const part = complete && parts.length === 1 ? parts[0]?.text : undefined;
  return `${tool}:${part !== undefined && isExact(part) ? part : only}`;
}
