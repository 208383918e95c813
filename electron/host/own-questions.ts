import { NacreError } from "../../shared/errors.ts";
import type { ApprovalFact, Because } from "../../shared/approval.ts";
import { canonicalJson } from "../../shared/json.ts";
import type { PermissionClass } from "../../shared/policy.ts";
import type { Declared } from "./declarations.ts";
import type { Foundation } from "./foundation.ts";
import { sha256 } from "./kit/files.ts";
import { factOf } from "./policy/approval-facts.ts";
import type { GrantRequest } from "./skills/invocation-needs.ts";
import type { Widening } from "./widened-policy.ts";

/** Where a question of the app itself comes from: a chat's command, or a window. */
export interface Asking {
  readonly sessionId: string | null;
  readonly signal: AbortSignal;
}
type Parts = Pick<Foundation, "broker" | "options" | "workspace">;

/** What trust would approve, as one digest: a declaration that changes in between makes an answer worthless. */
export const digestOfAll = (declared: readonly Declared[]): string =>
  sha256(canonicalJson(declared.map(({ row, digest }) => [row.id, digest])));

const nothingChanged = "nothing was changed: ";

interface OwnQuestion {
  readonly title: string;
  /** How a refusal begins. */
  readonly otherwise: string;
  /** One may be open in each conversation, not one in all of them. */
  readonly ofSession?: true;
  readonly perm: PermissionClass;
  readonly because: Because;
  readonly facts: readonly ApprovalFact[];
  /** Of what is shown. Taken again after the answer. */
  readonly digest: () => string;
}

/**
 * Asks whether to trust the folder; shows every command that its declarations could start. Gives what was shown: that
 * alone is to be approved.
 * @throws NacreError `denied` where the person says no, or where something has changed meanwhile
 */
export async function confirmTrust(
  parts: Parts,
  declared: () => readonly Declared[],
  asking: Asking,
): Promise<readonly Declared[]> {
  const shown = declared();
  const facts = shown.flatMap(({ row: { kind, name, path, runs } }) => [
    factOf("declared", [`${kind} ${name} (${path})`]),
    ...runs.flatMap(({ what, command, settings = [] }) => [
      ...(what === "" ? [] : [factOf("declared", [`${kind} ${name}: ${what}`])]),
      factOf("command", command),
      ...(settings.length === 0
        ? []
        : [
            factOf(
              "declared",
              settings.map((one) => `${one.name}: ${one.value}`),
            ),
          ]),
    ]),
  ]);
  await confirm(
    parts,
    {
      title: "trust",
      otherwise: nothingChanged,
      perm: "shell",
      because: { code: "trust", detail: parts.workspace },
      facts: [factOf("folder", [parts.workspace]), ...facts],
      digest: () => sha256(canonicalJson(["trust", parts.workspace, digestOfAll(declared())])),
    },
    asking,
  );
  return shown;
}
/**
 * Asks whether more may be allowed than now. One such question at a time is open.
 * @throws NacreError `denied` where the person says no, where one is open already, or where the settings have changed meanwhile
 */
export function confirmWidening(
  parts: Parts,
  widened: () => readonly Widening[],
  asking: Asking,
): Promise<void> {
  const shown = widened();
  return confirm(
    parts,
    {
      title: "settings",
      otherwise: nothingChanged,
      perm: "write",
      because: { code: "widen_policy", detail: shown.map(({ to }) => to).join(", ") },
      facts: [
        factOf(
          "change",
          shown.map(({ setting, from, to }) => `${setting}: ${from === "" ? "" : `${from} `}→ ${to}`),
        ),
      ],
      digest: () => sha256(canonicalJson(["widen", widened()])),
    },
    asking,
  );
}
/**
 * Asks whether a skill may use some tools without being asked for each time, for one turn (`allowed-tools`).
 * @throws NacreError `denied`, whose message says why it may not
 */
export const confirmAllowedTools = (
  parts: Parts,
  { skill, path, patterns, digest, isTrusted }: GrantRequest,
  asking: Asking,
): Promise<void> =>
  confirm(
    parts,
    {
      title: "allowed-tools",
      otherwise: "",
      ofSession: true,
      perm: "shell",
      because: { code: "allowed_tools", detail: skill },
      facts: [
        factOf("declared", [`skill ${skill}`]),
        ...(path === "" ? [] : [factOf("path", [path])]),
        factOf("allows", patterns),
      ],
      digest: () => sha256(canonicalJson(["allowed-tools", skill, path, patterns, digest, isTrusted()])),
    },
    asking,
  );
async function confirm(
  { broker }: Parts,
  question: OwnQuestion,
  { sessionId, signal }: Asking,
): Promise<void> {
  const { title, perm, because, facts, otherwise, ofSession } = question;
  // One page could fill the list with a thousand of them, until nobody reads any.
  if (
    broker
      .pending()
      .some(
        (view) =>
          view.tool === title &&
          view.because.some(({ code }) => code === because.code) &&
          (ofSession === undefined || view.sessionId === sessionId),
      )
  )
    throw new NacreError(
      "denied",
      `${otherwise}a question about this is open already; answer it first, then try again`,
    );
  const digest = question.digest();
  const answer = await broker.ask(
    {
      sessionId,
      tool: title,
      title,
      origin: "builtin",
      perm,
      digest,
      facts,
      because: [because],
      rule: null,
      careful: true,
      confined: null,
      askedBy: null,
    },
    signal,
  );
  if (answer.choice === "deny")
    throw new NacreError("denied", `${otherwise}${answer.note?.trim() || "the user said no"}`);
  if (question.digest() !== digest)
    throw new NacreError("denied", `${otherwise}it is no longer what was shown; look at it again`);
}
