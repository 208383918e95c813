import path from "node:path";
import { isObject } from "../../../shared/json.ts";
import {
  approvalPolicies,
  parseApprovalPolicy,
  parseSandboxPolicy,
  sandboxPolicies,
} from "../../../shared/policy.ts";
import { Fields, type Report } from "./fields.ts";
import type { ProviderSettings, Settings } from "./types.ts";

const oneOf =
  <T extends string>(words: readonly T[]) =>
  (word: string): T | undefined =>
    words.find((known) => known === word);
const placements = ["reminder", "system", "tool"] as const;
const listings = ["files", "none"] as const;
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

/**
 * Reads `<config>/settings.json`. Every key has a default; a key of the wrong kind is reported and takes it. Relative
 * folders are taken from `workspace`, `~/` from `home`. Unknown keys belong to others and are passed over.
 */
export function parseSettings(raw: unknown, workspace: string, home: string, report: Report): Settings {
  const fields = new Fields(raw, [], "settings-invalid", report);
  const policy = fields.object("policy");
  const skills = fields.object("skills");
  const appearance = fields.object("appearance");
  const folder = (text: string): string => absolute(text, workspace, home);
  const places = {
    dshHome: skills.string("dshHome"),
    agentsHome: skills.string("agentsHome"),
    bundledDir: skills.string("bundledDir"),
  };
  return {
    model: fields.string("model") ?? null,
    providers: providers(fields, report),
    policy: {
      approval: policy.word(parseApprovalPolicy, approvalPolicies, "approval") ?? "on_request",
      sandbox: policy.word(parseSandboxPolicy, sandboxPolicies, "sandbox") ?? "workspace_write",
      writableRoots: (policy.strings("writable_roots") ?? []).map(folder),
      networkAccess: policy.boolean("network_access") ?? false,
      carefulAfterOutsideText: policy.boolean("careful_after_outside_text") ?? true,
    },
    sandbox: { pluginNetwork: fields.object("sandbox").boolean("pluginNetwork") ?? true },
    trustedWorkspaces: fields.strings("trusted_workspaces") ?? [],
    skills: {
      dirs: (skills.strings("dirs") ?? []).map(folder),
      strict: skills.boolean("strict") ?? false,
      catalogDescriptionMaxLength: skills.number(leastDescription, "catalogDescriptionMaxLength") ?? 500,
      placement: skills.word(oneOf(placements), placements, "placement") ?? "reminder",
      resourceListing: skills.word(oneOf(listings), listings, "resourceListing") ?? "files",
      collectCacheMaxEntries: skills.number(0, "collectCacheMaxEntries") ?? 128,
      ...Object.fromEntries(
        Object.entries(places).flatMap(([key, value]) =>
          value === undefined ? [] : [[key, folder(value)] as const],
        ),
      ),
    },
    switches: fields.booleans("switches") ?? {},
    workspaceSwitches: perWorkspace(fields, "workspace_switches", (all, key) => all.booleans(key)),
    remembered: perWorkspace(fields, "remembered", (all, key) => all.strings(key)),
    appearance: {
      theme: appearance.word(oneOf(themes), themes, "theme") ?? "system",
      locale: appearance.word(oneOf(locales), locales, "locale") ?? "system",
    },
    market: {
      targets: Object.fromEntries(
        Object.entries(fields.object("market").texts("targets") ?? {}).map(([kind, target]) => [
          kind,
          absolute(target, workspace, home),
        ]),
      ),
    },
    recentFolders: fields.strings("recent_folders") ?? [],
  };
}

const absolute = (text: string, workspace: string, home: string): string =>
  text === "~" || text.startsWith("~/") || text.startsWith("~\\")
    ? path.join(home, text.slice(1))
    : path.resolve(workspace, text);

function providers(fields: Fields, report: Report): Settings["providers"] {
  const all = fields.object("models").object("providers");
  const found: [string, ProviderSettings][] = [];
  for (const [name, raw] of Object.entries(all.raw)) {
    const entry = new Fields(raw, ["models", "providers", name], "settings-invalid", report);
    if (!isObject(raw)) continue;
    const kind = entry.string("kind") ?? "openai-compatible";
    const baseUrl = entry.string("baseUrl");
    if (kind !== "openai-compatible") entry.report(["kind"], `is not known`, "use openai-compatible");
    else if (baseUrl === undefined || !isWebAddress(baseUrl))
      entry.report(["baseUrl"], "must be the address of the service", "write http://… or https://…");
    else {
      const apiKey = entry.string("apiKey");
      const models = entry.strings("models");
      found.push([
        name,
        { kind, baseUrl, ...(apiKey === undefined ? {} : { apiKey }), ...(models ? { models } : {}) },
      ]);
    }
  }
  return Object.fromEntries(found);
}
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
