import type { GateInput } from "./gate.ts";
import type { LocatedPath } from "./locate.ts";
import type { Rule } from "../config/permission.ts";

type Answer = "allow" | "ask" | "deny";
/** What a rule can speak of: a text that an allow has to name, and others that only a deny or an ask hears too. */
interface Thing {
  readonly texts: readonly string[];
  readonly alsoForNo: readonly string[];
  /** What a pattern without wildcards may name too. */
  readonly exactTexts?: readonly string[];
}
export interface NaiveCall {
  readonly input: GateInput;
  /** The parts that the command was put together from. */
  readonly parts: readonly {
    readonly text: string;
    readonly program: string;
    /** Its words without quotes, where some have them. */
    readonly unquoted?: string;
    /** The program itself is written in quotes. */
    readonly quotedProgram?: boolean;
  }[];
  /** False: it holds something that no allow may be read into. */
  readonly readable: boolean;
}

/** Spec 4 once more, sentence by sentence and slowly, to compare the gate with. Shares no code with it. */
export function naiveAnswer(call: NaiveCall): Answer {
  const { input } = call;
  const { approval } = input.policy;
  // "Headless: ask becomes deny"; "an ask under never is a deny".
  const ask: Answer = approval === "never" || !input.canAsk ? "deny" : "ask";
  const answeredAsk = (answered: boolean): Answer => (approval !== "never" && answered ? "allow" : ask);

  // Authority, highest first: a hook's deny, a reject, …
  if (input.hook !== undefined && input.hook.answer === "deny") return "deny";
  const verdict = naiveVerdict(input);
  if (verdict === "reject") return "deny";

  const things = naiveThings(call);
  const written = naiveRules(
    input.rules.filter(({ source }) => source !== "always"),
    input,
    things,
  );
  if (written === "deny") return "deny";

  // … protected folders, …
  const guarded = input.paths.filter((path) => path.access === "write" && path.protectedFolder !== null);
  if (guarded.length > 0) {
    if (approval === "never") return "deny";
    const open = guarded.every((path) => input.allow.some((text) => namesExactly(text, path, input)));
    if (!open) return ask;
    return naiveAnswer({
      ...call,
      input: { ...input, paths: input.paths.map((path) => ({ ...path, protectedFolder: null })) },
    });
  }
  const onCommandLine = naiveRules(
    input.allow.map((text) => {
      const [tool = "", ...pattern] = text.split(":");
      return {
        tool,
        pattern: pattern.length === 0 ? "*" : pattern.join(":"),
        answer: "allow" as const,
        source: "",
        trusted: true,
      };
    }),
    input,
    things,
  );
  const allowed = onCommandLine === "allow";
  if (input.hook !== undefined && input.hook.answer === "ask") return answeredAsk(allowed);

  // … the rules' answer, the matrix.
  if (written === "allow") return "allow";
  const remembered = naiveRemembered(input, things);
  const answered = allowed || remembered || (input.hook !== undefined && input.hook.answer === "allow");
  if (written === "ask") return answeredAsk(answered);
  if (verdict === "ok") {
    if (approval !== "always") return "allow";
    const readsOnly = input.perm === "read" && !input.paths.some(({ access }) => access === "write");
    return readsOnly ? "allow" : answeredAsk(answered);
  }
  // An "always here" is a rule of `<config>`, and a rule stands above the matrix.
  if (approval === "never") return remembered ? "allow" : "deny";
  return answeredAsk(answered);
}

function naiveVerdict(input: GateInput): "ok" | "upgrade" | "reject" {
  const { perm, policy, paths } = input;
  const reads = paths.filter(({ access }) => access === "read");
  const writes = paths.filter(({ access }) => access === "write");
  const inRoots = (path: LocatedPath): boolean => path.place === "workspace" || path.place === "writable";
  if (policy.sandbox === "read_only") {
    if (perm !== "read" || writes.length > 0) return "reject";
  }
  if (policy.sandbox === "full_access") return perm === "shell" && input.destructive ? "upgrade" : "ok";
  if (perm === "shell") {
    if (input.destructive) return "upgrade";
    if (!input.confinable || !input.sandboxAvailable) return "upgrade";
  }
  if (perm === "net" && !policy.networkAccess) return "upgrade";
  if (writes.some((path) => !inRoots(path))) return "upgrade";
  // "asked each time"
  if (reads.some(({ secret }) => secret)) return "upgrade";
  // "asked once per folder"; an open folder holds those below it, but the home folder and what holds it.
  const isOpen = (path: LocatedPath): boolean =>
    (input.openedFolders ?? []).some((folder) => {
      if (path.folder === folder) return true;
      const below = path.real === folder || path.real.startsWith(folder === "/" ? "/" : `${folder}/`);
      const home = input.home ?? "";
      const holdsHome = home === folder || home.startsWith(folder === "/" ? "/" : `${folder}/`);
      return below && !holdsHome;
    });
  return reads.some((path) => path.place === "outside" && !isOpen(path)) ? "upgrade" : "ok";
}

function naiveThings({ input, parts, readable }: NaiveCall): Thing[] {
  const things: Thing[] = [];
  const { command } = input;
  if (command !== undefined) {
    for (const { text, program, unquoted = text, quotedProgram } of parts)
      things.push({
        texts: quotedProgram ? [] : [text],
        alsoForNo: [text, program, unquoted, command],
        exactTexts: quotedProgram ? [text, command] : [command],
      });
    if (!readable) things.push({ texts: [], alsoForNo: [command], exactTexts: [command] });
  }
  for (const host of input.hosts) things.push({ texts: [host], alsoForNo: [] });
  for (const { names, given } of input.paths) things.push({ texts: names, alsoForNo: [given] });
  if (input.names !== undefined && input.names.length > 0) things.push({ texts: input.names, alsoForNo: [] });
  return things.length > 0 ? things : [{ texts: [], alsoForNo: [] }];
}

const wildcard = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", "[^]*")
      .replaceAll("?", "[^]")}$`,
    "u",
  );
const speaksOf = (rule: Rule, input: GateInput): boolean => {
  const names = rule.answer === "allow" && input.tool.forAllow ? input.tool.forAllow : input.tool.all;
  return names.some((name) => wildcard(rule.tool.toLowerCase()).test(name.toLowerCase()));
};
function matches(rule: Rule, thing: Thing): boolean {
  if (rule.pattern.replaceAll("*", "") === "" && rule.pattern !== "") return true;
  const isPlain = !rule.pattern.includes("*") && !rule.pattern.includes("?");
  if (isPlain && (thing.exactTexts ?? []).includes(rule.pattern)) return true;
  const texts = rule.answer === "allow" ? thing.texts : [...thing.texts, ...thing.alsoForNo];
  return texts.some((text) => wildcard(rule.pattern).test(text));
}
/** The answer that all rules together give; undefined: none. */
function naiveRules(rules: readonly Rule[], input: GateInput, things: readonly Thing[]): Answer | undefined {
  const each = things.map((thing): Answer | undefined => {
    const hits = rules.filter((rule) => speaksOf(rule, input) && matches(rule, thing));
    const last = hits.filter(({ trusted }) => trusted).at(-1)?.answer;
    const narrowing = hits.filter(({ trusted }) => !trusted).map(({ answer }) => answer);
    if (last === "deny" || narrowing.includes("deny")) return "deny";
    if (last === "ask" || narrowing.includes("ask")) return "ask";
    return last;
  });
  if (each.includes("deny")) return "deny";
  if (each.includes("ask")) return "ask";
  return each.includes(undefined) ? undefined : "allow";
}
function naiveRemembered(input: GateInput, things: readonly Thing[]): boolean {
  if (input.paths.some(({ access, secret }) => access === "read" && secret)) return false;
  const sends =
    input.perm === "shell" ||
    input.perm === "net" ||
    input.paths.some(
      ({ access, place }) => access === "write" && place !== "workspace" && place !== "writable",
    );
  // What was answered is a command in the workspace.
  if (input.elsewhere) return false;
  const rules = [...input.rules.filter(({ source }) => source === "always"), ...input.remembered];
  if (naiveRules(rules, input, things) !== "allow") return false;
  if (!input.outsideText || !sends) return true;
  // "asks once more in that turn": what the person said once more counts.
  const saidAgain = rules.filter((rule) =>
    (input.confirmed ?? []).some((text) => {
      const [tool = "", ...pattern] = text.split(":");
      return tool === rule.tool && (pattern.length === 0 ? "*" : pattern.join(":")) === rule.pattern;
    }),
  );
  return naiveRules(saidAgain, input, things) === "allow";
}
function namesExactly(text: string, path: LocatedPath, input: GateInput): boolean {
  const colon = text.indexOf(":");
  if (colon < 0) return false;
  const tool = text.slice(0, colon);
  const pattern = text.slice(colon + 1);
  if (pattern.includes("*") || pattern.includes("?")) return false;
  return (
    speaksOf({ tool, pattern, answer: "allow", source: "", trusted: true }, input) &&
    path.names.includes(pattern)
  );
}
