import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { JsonObject } from "../../../shared/json.ts";
import type { Input } from "../../../shared/contract/index.ts";
import type { McpEvent, McpServerDetails, McpServerRow, McpTestResult } from "../../../shared/mcp.ts";
import type { AppPaths, McpDeclaration } from "../config/types.ts";
import type { Dispose } from "../kit/disposable.ts";
import type { Listenable } from "../kit/emitter.ts";
import type { Logger } from "../kit/log.ts";
import type { SlashCommand } from "../tools/commands.ts";
import type { Tool } from "../tools/types.ts";
import type { McpApps } from "./apps/apps.ts";
import type { Features } from "./features/features.ts";
import type { OAuthPorts } from "./oauth/session.ts";
import type { OpenPorts } from "./open-server.ts";
import type { ServerSkills } from "./skills/server-skills.ts";
import type { McpCallOptions, McpCallResult } from "./types.ts";

export interface McpOptions extends Omit<OpenPorts, "dropEnv" | "oauth"> {
  readonly paths: AppPaths;
  /** In the order of precedence, plugins last; asked again at each reload. */
  readonly declarations: () => readonly McpDeclaration[];
  /** Asked with the object that is started, right before it is. */
  readonly digestOf: (declaration: McpDeclaration) => string;
  readonly trust: {
    stateOf(declaration: {
      id: string;
      kind: "mcp";
      digest: string;
      /** The very object that would be started. */
      declaration: McpDeclaration;
    }): "untrusted" | "needs_approval" | "approved";
    readonly onChange: Listenable<unknown>;
  };
  readonly switches: {
    isOn(id: string, fallback?: boolean): boolean;
    set(id: string, on: boolean): Promise<void>;
    readonly onChange: Listenable<unknown>;
  };
  readonly addTool: (tool: Tool) => Dispose;
  /** Takes the prompts of servers as slash commands; absent: they are none. */
  readonly addCommand?: (command: SlashCommand) => Dispose;
  /** For `${secret:NAME}`. A server reaches the names that begin with `mcp/<its name>/`, and no other. */
  readonly secrets: {
    get(name: string): Promise<string | undefined>;
    set?(name: string, value: string): Promise<void>;
    remove?(name: string): Promise<void>;
  };
  /** Lets a person sign in to remote servers: shows them a page, and may ask them first. Tokens go to `secrets`. */
  readonly openBrowser?: OAuthPorts["openBrowser"];
  /** https url of the app's OAuth client id metadata document, where one is published. */
  readonly clientMetadataUrl?: string;
  readonly log: Logger;
  /** Adds a value to what is masked everywhere. */
  readonly maskSecret: (value: string) => void;
  /** Masks a text for a server's log. */
  readonly mask: (text: string) => string;
  readonly dropEnv?: () => readonly string[];
  /** Writes a text beside a conversation and gives its path, as `read_file` takes it; absent: long answers are cut. */
  readonly keepText?: (sessionId: string, text: string) => string;
  /** `otherRoots` gives other folders by now. */
  readonly onRoots?: Listenable<unknown>;
  /** Files below `<data>/trust` may say something else by now. */
  readonly onRead?: Listenable<unknown>;
  /** Reads the files again, for `/mcp reload`; `declarations` answers anew then. */
  readonly reloadFiles?: () => Promise<void>;
  readonly restartDelaysMs?: readonly number[];
  /** For values that a server proposes. */
  readonly completionMs?: number;
}

export interface Mcp {
  /** Starts every eager server in the background, at most 16 at once. */
  start(): void;
  /** Ends everything; resolves when no process and no timer is left. */
  stop(): Promise<void>;
  /** Takes the declarations anew; only what changed restarts. */
  reload(): Promise<void>;
  /** `/mcp reload`: reads the files and restarts every server that is on. */
  restartAll(): Promise<void>;
  /** One a name: the declaration that counts. */
  rows(): McpServerRow[];
  /** The declaration that counts for a name. @throws NacreError `not_found` */
  declaration(name: string): McpDeclaration;
  /** Declarations that stand behind another of their name. */
  shadowed(): McpDeclaration[];
  /** The rows of those. One names what shadows it, but where it comes first and is merely off or waiting. */
  shadowedRows(): McpServerRow[];
  /** Waits until no server is on its way any more, at most `ms`. Names what is on and not ready. */
  settled(ms: number, signal?: AbortSignal): Promise<{ notReady: string[] }>;
  /** @throws NacreError `not_found`; `denied`, `not_trusted` for one that may not run. What became of it stands in its row. */
  startServer(name: string): Promise<void>;
  stopServer(name: string): Promise<void>;
  restartServer(name: string): Promise<void>;
  /** Stops a remote server and forgets the sign-in to it. @throws NacreError `not_found`; `invalid_input` for one that knows none */
  signOut(name: string): Promise<void>;
  /** Past the gate: callers that act for a model or a person go by `tools/execute.ts`. @throws NacreError */
  call(
    server: string,
    tool: string,
    input: JsonObject,
    options: McpCallOptions,
    signal: AbortSignal,
  ): Promise<McpCallResult>;
  /** What a server is and offers, as it is known at this moment. @throws NacreError `not_found` */
  details(name: string): McpServerDetails;
  /** Approves definitions of tools that changed. @throws NacreError `not_found`; `denied` where one is not what was shown */
  approveTools(name: string, tools: Input<"mcp.approveTools">["tools"]): Promise<void>;
  /** Starts a declaration once, whatever trust says, lists its tools and ends it; nothing is kept. Never rejects but for `signal`. */
  test(declaration: McpDeclaration, signal: AbortSignal): Promise<McpTestResult>;
  /** Forgets what was kept of a server that is gone for good, by its contribution id. */
  forget(id: string): Promise<void>;
  /** Skills of ready servers. */
  readonly skills: ServerSkills;
  /** What apps of servers may have. */
  readonly apps: McpApps;
  /** What servers offer beside tools: resources, prompts, completion. */
  readonly features: Pick<Features, "attach" | "complete" | "onChange" | "resources">;
  /** The lines of the server's log file. @throws NacreError `not_found` */
  logs(name: string): string[];
  /** What is wrong with what servers offer. */
  diagnostics(): Diagnostic[];
  /** What ready servers tell the model, in the order of the configuration. */
  instructions(): { readonly server: string; readonly text: string }[];
  readonly onRow: Listenable<McpServerRow>;
  /** The set of servers changed. */
  readonly onRows: Listenable<void>;
  readonly onEvent: Listenable<McpEvent>;
  readonly onTools: Listenable<void>;
  readonly commands: readonly SlashCommand[];
}
