import path from "node:path";
import { canonicalJson } from "../../../shared/json.ts";
import type { AppPaths } from "../config/types.ts";
import { userSources } from "../config/user-folders.ts";
import { isFolder, realPath, sha256 } from "../kit/files.ts";
import type { ApprovalBroker } from "../policy/approvals.ts";
import { decide, type GateDecision, type GateInput } from "../policy/gate.ts";
import { locatePaths } from "../policy/locate.ts";
import type { Sandbox } from "../policy/sandbox.ts";
import { userPlaces } from "../policy/user-places.ts";
import { toolNames } from "./tool-names.ts";
import type { Intercepted } from "./interceptors.ts";
import type { Caller, CallPolicy, Tool, Touches, TurnState } from "./types.ts";

/** What judging a call needs to know beside the call. */
export interface JudgeDeps {
  readonly broker: Pick<ApprovalBroker, "remembered" | "openedFolders">;
  readonly sandbox: Pick<Sandbox, "kind">;
  /** Real path. */
  readonly workspace: string;
  readonly paths: AppPaths;
  /** Skill folders: reads there are as good as in the workspace. */
  readableFolders(): readonly string[];
}
export interface CallToJudge {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller;
  readonly hook?: Intercepted["hook"];
  readonly turn: TurnState;
}
/** A call with all that the gate needs to know of it; its paths are found on disk. */
export interface JudgedCall {
  readonly touches: Touches;
  /** Real path of the folder that a process of it runs in. */
  readonly folder: string;
  readonly gate: GateInput;
  readonly decision: GateDecision;
  /** Of the exact arguments and of where their paths lead: an answer holds for nothing else. */
  readonly digest: string;
}

/** Finds a call's paths and lets the gate decide. @throws NacreError for arguments that name nothing possible. */
export function judgeCall(deps: JudgeDeps, call: CallToJudge): JudgedCall {
  const { tool, input, caller } = call;
  const { policy } = caller;
  const { outsideText, confirmed } = call.turn;
  const touches = tool.touches?.(input, caller) ?? {};
  const folder =
    touches.cwd === undefined ? deps.workspace : realPath(path.resolve(deps.workspace, touches.cwd));
  const hasPaths = touches.reads !== undefined || touches.writes !== undefined;
  const paths = hasPaths ? locatePaths(touches, territory(deps, policy, touches), isFolder) : [];
  const gate: GateInput = {
    perm: tool.perm,
    policy,
    sandboxAvailable: deps.sandbox.kind !== null,
    confinable: tool.confinable === true,
    canAsk: caller.canAsk,
    paths,
    hosts: touches.hosts ?? [],
    ...(touches.command === undefined ? {} : { command: touches.command }),
    ...(touches.commandIsOpaque === true ? { commandIsOpaque: true } : {}),
    ...(touches.names === undefined ? {} : { names: touches.names }),
    destructive: touches.destructive === true,
    tool: toolNames(tool),
    rules: policy.rules,
    allow: policy.allow,
    outsideText: outsideText && policy.carefulAfterOutsideText !== false,
    remembered: deps.broker.remembered(caller.sessionId),
    confirmed: [...confirmed],
    elsewhere: folder !== deps.workspace,
    openedFolders: deps.broker.openedFolders(caller.sessionId),
    ...(hasPaths ? { home: realPath(deps.paths.home) } : {}),
    ...(call.hook === undefined ? {} : { hook: call.hook }),
  };
  let digest: string | undefined;
  return {
    touches,
    folder,
    gate,
    decision: decide(gate),
    // Most calls are allowed by themselves, and nobody asks for it.
    get digest() {
      return (digest ??= sha256(
        canonicalJson({
          tool: tool.name,
          origin: tool.origin,
          input,
          argv: touches.argv,
          folder,
          paths: paths.map(({ given, real, access }) => [given, real, access]),
        }),
      ));
    },
  };
}
const territory = (deps: JudgeDeps, policy: CallPolicy, { writes = [] }: Touches) => ({
  workspace: deps.workspace,
  writableRoots: policy.writableRoots,
  readableFolders: deps.readableFolders(),
  config: deps.paths.config,
  home: deps.paths.home,
  data: deps.paths.data,
  userFolders: userSources(deps.paths),
  userPlaces: writes.length === 0 ? [] : userPlaces(deps.paths),
});
