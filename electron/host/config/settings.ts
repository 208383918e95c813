import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import {
  approvalPolicies,
  parseApprovalPolicy,
  parseSandboxPolicy,
  sandboxPolicies,
} from "../../../shared/policy.ts";
import { fromHome } from "../kit/home-path.ts";
import { Fields, type Report } from "./fields.ts";
import { keyReference } from "./key-reference.ts";
import type { ProviderSettings, Settings } from "./types.ts";

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (word: string): T | undefined =>
    words.find((known) => known === word);
const placements = ["reminder", "system", "tool"] as const;
/** `list` is the reference's word for what is listed anyway. */
const listings = ["files", "list", "none"] as const;
const themes = ["system", "light", "dark"] as const;
const locales = ["system", "en", "zh"] as const;
/** The "…" counts, so fewer characters would say nothing (spec 3). */
const leastDescription = 3;

/** What holds while there is a `settings.json` that cannot be read: nothing is written and no network is used. */
export const strictPolicy: Settings["policy"] = {
  approval: "on_request",
  sandbox: "read_only",
  writableRoots: [],
  networkAccess: false,
  carefulAfterOutsideText: true,
};

/** Keys that others read: the rules (load.ts), an editor's schema, and what is kept for other versions of the app. */
const passed = ["permission", "agent", "plugins", "sources", "$schema"];

/**
 * Reads `<config>/settings.json`. Every key has a default; a key of the wrong kind is reported and takes it, but what
 * limits the agent takes the strictest value instead (spec 3: what is no switch counts as the stricter one). Relative
 * folders are taken from `workspace`, `~/` from `home`. Unknown keys are reported and have no effect.
 */
export function parseSettings(raw: unknown, workspace: string, home: string, report: Report): Settings {
  const fields = new Fields(raw, [], "settings-invalid", report);
  fields.pass(...passed);
  const skills = fields.object("skills");
  const appearance = fields.object("appearance");
  const folder = (text: string): string => settingsFolder(text, workspace, home);
  const places = {
    dshHome: oneFolder(skills, "dshHome"),
    agentsHome: oneFolder(skills, "agentsHome"),
    bundledDir: oneFolder(skills, "bundledDir"),
  };
  const settings: Settings = {
    model: fields.string("model") ?? null,
    providers: providers(fields),
    policy: readPolicy(fields, folder),
    sandbox: { pluginNetwork: readPluginNetwork(fields) },
    trustedWorkspaces: fields.strings("trusted_workspaces") ?? [],
    skills: {
      dirs: [...new Set(folders(skills, "dirs").map(folder))],
      strict: skills.strictBoolean(true, false, "strict"),
      catalogDescriptionMaxLength: skills.number(leastDescription, "catalogDescriptionMaxLength") ?? 500,
      placement: skills.word(oneOf(placements), placements, "placement") ?? "reminder",
      resourceListing:
        skills.word(oneOf(listings), listings, "resourceListing") === "none" ? "none" : "files",
      collectCacheMaxEntries: skills.number(0, "collectCacheMaxEntries") ?? 128,
      ...Object.fromEntries(
        Object.entries(places).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, folder(value)] as const],
        ),
      ),
    },
    mcp: { deferAbove: readDeferAbove(fields.object("mcp")) },
    switches: fields.booleans(false, "switches") ?? {},
    workspaceSwitches: perWorkspace(fields, "workspace_switches", (all, key) => all.booleans(false, key)),
    remembered: perWorkspace(fields, "remembered", (all, key) => all.strings(key)),
    appearance: {
      theme: appearance.word(oneOf(themes), themes, "theme") ?? "system",
      locale: appearance.word(oneOf(locales), locales, "locale") ?? "system",
    },
    market: {
      targets: Object.fromEntries(
        Object.entries(fields.object("market").texts("targets") ?? {}).map(([kind, target]) => [
          kind,
          settingsFolder(target, workspace, home),
        ]),
      ),
    },
    recentFolders: fields.strings("recent_folders") ?? [],
  };
  fields.reportUnknown();
  return settings;
}

function readPolicy(fields: Fields, folder: (text: string) => string): Settings["policy"] {
  const policy = fields.object("policy");
  const written = fields.find("policy");
  const approval = policy.strictWord(parseApprovalPolicy, approvalPolicies, "always", "approval");
  const sandbox = policy.strictWord(parseSandboxPolicy, sandboxPolicies, "read_only", "sandbox");
  const read: Settings["policy"] = {
    approval: approval ?? "on_request",
    sandbox: sandbox ?? "workspace_write",
    writableRoots: folders(policy, "writable_roots").map(folder),
    networkAccess: policy.strictBoolean(false, false, "network_access"),
    carefulAfterOutsideText: policy.strictBoolean(true, true, "careful_after_outside_text"),
  };
  // Somebody meant to set limits and nobody can tell which.
  return written && !isObject(written.value) ? { ...strictPolicy, approval: "always" } : read;
}
const usualDeferAbove = 10;
function readDeferAbove(fields: Fields): number {
  const share = fields.number(0, "deferAbove") ?? usualDeferAbove;
  if (share <= 100) return share;
  fields.report(["deferAbove"], `${share} is no share of a context`, "write percent, from 0 to 100");
  return usualDeferAbove;
}
function readPluginNetwork(fields: Fields): boolean {
  const network = fields.object("sandbox").strictBoolean(false, true, "pluginNetwork");
  const written = fields.find("sandbox");
  return network && (!written || isObject(written.value));
}

/** What is empty would mean the workspace itself, which nobody meant. */
function folders(fields: Fields, name: string): readonly string[] {
  return (fields.strings(name) ?? []).filter((text, at) => isNamed(fields, [name, at], text));
}
function oneFolder(fields: Fields, name: string): string | undefined {
  const text = fields.string(name);
  return text === undefined || isNamed(fields, [name], text) ? text : undefined;
}
function isNamed(fields: Fields, at: readonly (string | number)[], text: string): boolean {
  if (text.trim() !== "") return true;
  fields.report(at, "is empty and names no folder", "write a folder, or take it out");
  return false;
}

/** A folder as settings write it: `~/` from the home folder, a relative one from the workspace. */
export const settingsFolder = (text: string, workspace: string, home: string): string =>
  path.resolve(workspace, fromHome(text, home));

function providers(fields: Fields): Settings["providers"] {
  const all = fields.object("models").object("providers");
  const found: [string, ProviderSettings][] = [];
  for (const [name, raw] of Object.entries(all.raw)) {
    const entry = all.object(name);
    if (!isObject(raw)) continue;
    const kind = entry.string("kind") ?? "openai-compatible";
    const baseUrl = entry.string("baseUrl");
    const apiKey = entry.string("apiKey");
    const models = entry.strings("models");
    if (apiKey !== undefined && !keyReference(apiKey))
      entry.report(["apiKey"], "holds the key itself", plainSecretFix);
    if (kind !== "openai-compatible") entry.report(["kind"], `is not known`, "use openai-compatible");
    else if (baseUrl === undefined || !isWebAddress(baseUrl))
      entry.report(["baseUrl"], "must be the address of the service", "write http://… or https://…");
    else {
      if (new URL(baseUrl).password !== "") entry.report(["baseUrl"], "holds a password", plainSecretFix);
      found.push([
        name,
        { kind, baseUrl, ...(apiKey === undefined ? {} : { apiKey }), ...(models ? { models } : {}) },
      ]);
    }
  }
  return Object.fromEntries(found);
}
const plainSecretFix =
  "write ${NAME} for a variable of the environment, or enter the key in Settings, Models; then make a new key, since this one stood in a file";
const isWebAddress = (text: string): boolean =>
  URL.canParse(text) && ["http:", "https:"].includes(new URL(text).protocol);

function perWorkspace<T>(
  fields: Fields,
  name: string,
  read: (all: Fields, workspace: string) => T | undefined,
): Readonly<Record<string, T>> {
  const all = fields.object(name);
  return Object.fromEntries(
    Object.keys(all.raw).flatMap((workspace) => {
      const value = read(all, workspace);
      return value === undefined ? [] : [[workspace, value]];
    }),
  );
}
