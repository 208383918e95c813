import { NacreError } from "../../../../shared/errors.ts";
import type { McpDeclaration } from "../../config/types.ts";
import { resolveLaunch } from "../launch.ts";
import { oauthRecordName, type OAuthStore } from "./record.ts";

/**
 * Forgets what was kept of the sign-ins to a remote server: tokens, and what the app was registered as.
 * @throws NacreError `invalid_input` for a server of this machine, `needs_setup` where its address cannot be told
 */
export async function forgetSignIn(
  declaration: McpDeclaration,
  from: {
    readonly env: Readonly<NodeJS.ProcessEnv>;
    readonly secret: (name: string) => Promise<string | undefined>;
    readonly store: OAuthStore;
  },
): Promise<void> {
  const { name, config } = declaration;
  if (config.url === undefined)
    throw new NacreError("invalid_input", `"${name}" runs on this machine: nobody signs in to it`);
  // The address and the app's name there are all that counts: what is missing elsewhere must not be in the way.
  const { apiKeyEnv: _, ...rest } = config;
  const plan = await resolveLaunch(
    { ...declaration, config: { ...rest, headers: {} } },
    from.env,
    from.secret,
  );
  if (plan.kind !== "launch" || plan.launch.kind !== "http")
    throw new NacreError(
      "needs_setup",
      `the address of "${name}" cannot be told: ${plan.kind === "needs_setup" ? `${plan.missing.join(", ")} is not set` : plan.kind === "invalid" ? plan.reason : "it has none"}`,
    );
  await from.store.remove?.(oauthRecordName(plan.launch.url, plan.launch.oauth));
}
