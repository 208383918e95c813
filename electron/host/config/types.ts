import type { Diagnostic } from "../../../shared/diagnostic.ts";
import type { ApprovalPolicy, SandboxPolicy } from "../../../shared/policy.ts";
import type { Rule } from "./permission.ts";

/** Where things live (spec 2). All absolute. */
export interface AppPaths {
  readonly home: string;
  readonly config: string;
  readonly data: string;
  readonly cache: string;
  /** Hermit's user files: read, never written. */
  readonly cst: string;
}
/** A model endpoint in settings: `models.providers.<name>`. */
export interface ProviderSettings {
  readonly kind: "openai-compatible";
  readonly baseUrl: string;
  /** `${ENV}` or a name in the secret store (`secret:NAME`); absent for local servers. */
  readonly apiKey?: string;
  readonly models?: readonly string[];
}
export interface Settings {
  readonly model: string | null;
  readonly providers: Readonly<Record<string, ProviderSettings>>;
  readonly policy: {
    readonly approval: ApprovalPolicy;
    readonly sandbox: SandboxPolicy;
    readonly writableRoots: readonly string[];
    readonly networkAccess: boolean;
    /** After text from outside, remembered answers ask once more (spec 4): `policy.careful_after_outside_text`. */
    readonly carefulAfterOutsideText: boolean;
  };
  /** `sandbox.pluginNetwork`: confined exec tools keep the network (spec 4, OS sandbox). */
  readonly sandbox: { readonly pluginNetwork: boolean };
  /** Real paths. */
  readonly trustedWorkspaces: readonly string[];
  /** `skills.*` keys as spec 3 names them. */
  readonly skills: {
    readonly dirs: readonly string[];
    readonly strict: boolean;
    readonly catalogDescriptionMaxLength: number;
    readonly placement: "reminder" | "system" | "tool";
    readonly resourceListing: "files" | "none";
    readonly collectCacheMaxEntries: number;
    readonly dshHome?: string;
    readonly agentsHome?: string;
    readonly bundledDir?: string;
  };
  /** `mcp.deferAbove`: the share of a model's context, percent, above which it gets MCP tools on demand; 100: never. */
  readonly mcp: { readonly deferAbove: number };
  readonly switches: Readonly<Record<string, boolean>>;
  /** By workspace's real path. */
  readonly workspaceSwitches: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  /** What "always here" stored, as `tool:pattern`, by workspace's real path (spec 4, Answers). */
  readonly remembered: Readonly<Record<string, readonly string[]>>;
  readonly appearance: {
    readonly theme: "system" | "light" | "dark";
    readonly locale: "system" | "en" | "zh";
  };
  readonly market: { readonly targets: Readonly<Record<string, string>> };
  readonly recentFolders: readonly string[];
}
/** One server as its file declares it, keys in the one spelling (spec 6, Config). Variables are unresolved. */
/** How a token is come by: a person signs in; the app by itself; with a JWT of the workload; through the company's sign-in. */
export type McpOAuthGrant = "authorization_code" | "client_credentials" | "jwt_bearer" | "enterprise";
/** How the app makes itself known to a remote server's authorization server. Every text may name variables. */
export interface McpOAuthConfig {
  readonly grant: McpOAuthGrant;
  /** Registered by hand; absent: the app registers itself. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** PKCS #8, PEM: the app signs who it is (`private_key_jwt`), and no secret is sent. */
  readonly privateKey?: string;
  /** Of `privateKey`; ES256 where absent. */
  readonly signingAlgorithm?: string;
  /** The workload's own JWT, for `jwt_bearer`. */
  readonly assertion?: string;
  readonly scopes?: readonly string[];
  /** The only authorization server that is shown these credentials. */
  readonly issuer?: string;
  /** Port of the address to come back to, where the registered one is fixed. */
  readonly callbackPort?: number;
  /** The company's identity provider, for `enterprise`. */
  readonly idp?: McpIdpConfig;
}
export interface McpIdpConfig {
  readonly issuer?: string;
  readonly tokenEndpoint?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly idToken?: string;
}
export interface McpServerConfig {
  readonly command?: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly type?: string;
  readonly disabled: boolean;
  readonly autoApprove: true | readonly string[];
  readonly apiKeyEnv?: string;
  readonly startupTimeoutSec?: number;
  readonly toolTimeoutSec?: number;
  readonly enabledTools?: readonly string[];
  readonly disabledTools: readonly string[];
  readonly keepAlive: boolean;
  readonly idleTimeoutSecs?: number;
  readonly autoRestart: boolean;
  readonly maxRestartAttempts: number;
  readonly start: "eager" | "lazy";
  readonly sandbox: boolean;
  readonly oauth?: McpOAuthConfig;
}
export interface McpDeclaration {
  readonly name: string;
  /** `user`, `cst`, `workspace`, `project`, `kairox`, or a plugin's name. */
  readonly owner: string;
  readonly scope: "user" | "workspace" | "plugin";
  readonly file: string;
  readonly config: McpServerConfig;
  /** The declaration as written, for the digest. */
  readonly raw: unknown;
  /** Folder that a relative `cwd` and `command` are taken from: the workspace, or the plugin's. */
  readonly base: string;
  /** Further variables: `${CLAUDE_PLUGIN_ROOT}` and the like. */
  readonly variables: Readonly<Record<string, string>>;
  readonly diagnostics: readonly Diagnostic[];
}
/** A hook, LSP or DAP entry: listed for trust; started by its own room. */
export interface OtherDeclaration {
  readonly kind: "hook" | "lsp" | "dap";
  readonly name: string;
  readonly owner: string;
  readonly scope: "user" | "workspace";
  readonly file: string;
  readonly raw: unknown;
}
/** What one file says of permissions (spec 2: settings.json, and every dropstone.json). */
export interface RuleFile {
  readonly path: string;
  readonly scope: "user" | "workspace";
  /** False for a file of a workspace that is not trusted. */
  readonly trusted: boolean;
  /** In the order of the text. */
  readonly rules: readonly Rule[];
  readonly agents: Config["agents"];
}
/** What settings and dropstone.json say of one role. */
export interface AgentConfig {
  readonly rules: readonly Rule[];
  /** Tools by name or pattern, in the order of the files: the last one that fits counts. */
  readonly tools: Readonly<Record<string, boolean>>;
}
/** Every file of spec 2, layered. Frozen; a change makes a new one. */
export interface Config {
  readonly settings: Settings;
  /** In precedence order, the first of a name wins; losers stay in the list behind it. */
  readonly mcp: readonly McpDeclaration[];
  readonly others: readonly OtherDeclaration[];
  /** Joined in the order of spec 2: settings, user dropstone.json, project dropstone.json from the root down. */
  readonly rules: readonly Rule[];
  /** `agent.<name>` of settings and dropstone.json. */
  readonly agents: Readonly<Record<string, AgentConfig>>;
  /** Keys by the name of their action; an empty list for none. */
  readonly keybinds: Readonly<Record<string, readonly string[]>>;
  /** What `rules` and `agents` are joined of, in that order. */
  readonly ruleFiles: readonly RuleFile[];
  /** Texts for the model: AGENTS.md files and `instructions`, outermost first. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[];
  readonly diagnostics: readonly Diagnostic[];
}
