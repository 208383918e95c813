import type { InstallPlan, InstallStep, Receipt } from "../../shared/market.ts";
import { currentPolicy } from "./callers.ts";
import { mcpFingerprint } from "./declarations.ts";
import type { Foundation } from "./foundation.ts";
import { assertMayInstall } from "./market/install-policy.ts";
import type { Market } from "./market/market.ts";
import type { Rooms } from "./rooms.ts";
import type { Topics } from "./topics.ts";
import type { UserTrust } from "./user-trust.ts";

/** The marketplace, built when it is first asked for, and what an install means for the other rooms. */
export interface Installs {
  market(): Promise<Market>;
  /** @throws NacreError `denied` where the policy does not let it be written */
  install(
    plan: InstallPlan,
    variables: Readonly<Record<string, string>>,
    onStep?: (step: InstallStep) => void,
    signal?: AbortSignal,
  ): Promise<Receipt>;
  cancel(id: string): void;
  defineTopic(topics: Topics): Promise<void>;
}

export function createInstalls(foundation: Foundation, rooms: Rooms, userTrust: UserTrust): Installs {
  const { config, secrets, clock, env, switches, trust, diagnostics, disposables } = foundation;
  let built: Promise<Market> | undefined;
  let ready: Market | undefined;
  const show = async ({ kind }: Receipt): Promise<void> => {
    await Promise.all([config.reload(), userTrust.reload()]);
    if (kind === "mcp") await rooms.mcp.reload();
    else if (kind === "plugin") await rooms.plugins.reload();
    else await rooms.skills.reload();
  };
  const market = (): Promise<Market> =>
    (built ??= import("./market/market.ts").then(({ Market: Room }) => {
      ready = new Room({
        config,
        secrets,
        clock,
        env,
        async onInstalled(receipt) {
          await show(receipt);
          if (receipt.kind !== "mcp") return;
          const declaration = rooms.mcp.declaration(receipt.name);
          const id = `mcp:${declaration.owner}/${receipt.name}`;
          if (!switches.isOn(id)) await rooms.setSwitch(id, true);
          // What the person agreed to is approved; in a workspace that is not trusted it waits for that.
          if (receipt.scope === "workspace" && trust.isTrusted()) {
            const fingerprint = mcpFingerprint(declaration, foundation);
            await trust.approve({ id, digest: fingerprint.digest, fingerprint });
          }
          if (receipt.scope === "workspace" && !trust.isTrusted()) return;
          await rooms.mcp.startServer(receipt.name);
        },
        onRemoved: show,
        onDiagnostics: (found) => diagnostics.set("market", found),
      });
      return ready;
    }));
  return {
    market,
    async install(plan, variables, onStep = () => undefined, signal = new AbortController().signal) {
      assertMayInstall(currentPolicy(foundation));
      const room = await market();
      return room.install({ plan, variables }, onStep, signal);
    },
    cancel: (id) => ready?.cancel(id),
    async defineTopic(topics) {
      const room = await market();
      disposables.add(room.onEvent.on((event) => topics.publish("market", event)));
      topics.define("market", () => room.view());
    },
  };
}
