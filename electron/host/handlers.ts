import { NacreError } from "../../shared/errors.ts";
import type { McpReview } from "../../shared/contract/mcp.ts";
import type { InstallPlan } from "../../shared/market.ts";
import { lastLines } from "../../shared/last-lines.ts";
import { mcpRun, type Declared } from "./declarations.ts";
import type { Host } from "./host.ts";
import { mcpEditHandlers } from "./mcp-edit-handlers.ts";
import { digestOfAll } from "./own-questions.ts";
import { Grants } from "./policy/grants.ts";
import type { HostHandlers } from "./rpc.ts";
import { skillHandlers } from "./skill-handlers.ts";

/** Characters of a background command's output that a window gets at once. */
const mostShown = 64 * 1024;

/** The contract, implemented over a host. Each line delegates: no rule of its own stands here. */
export function createHandlers(host: Omit<Host, "handlers">): HostHandlers {
  const trustGrants = new Grants<readonly Declared[]>(host.clock);
  const serverGrants = new Grants<string>(host.clock);
  const installGrants = new Grants<InstallPlan>(host.clock);
  const changedSince = (what: string): NacreError =>
    new NacreError("denied", `${what} has changed since it was shown: look at it again`);

  function reviewServer(of: { readonly name: string } | { readonly id: string }): McpReview {
    const { id, declaration, digest } = host.serverDeclaration(of);
    return {
      grant: serverGrants.make(id, digest),
      name: declaration.name,
      run: mcpRun(declaration),
      digest,
    };
  }
  return {
    "app.doctor": () => host.doctor(),

    "chat.create": () => host.chats.create().row,
    "chat.send": async ({ sessionId, text }) => {
      await host.chats.open(sessionId).send(text);
      return null;
    },
    "chat.unqueue": ({ sessionId, index }) => {
      host.chats.open(sessionId).unqueue(index);
      return null;
    },
    "chat.stop": async ({ sessionId }) => {
      await host.chats.open(sessionId).stop();
      return null;
    },
    "chat.page": ({ sessionId, before }) => host.chats.open(sessionId).page(before),
    "chat.rename": async ({ sessionId, title }) => {
      await host.chats.open(sessionId).rename(title);
      return null;
    },
    "chat.output": ({ sessionId, callId }) => ({ output: host.chats.open(sessionId).output(callId) }),

    "approvals.answer": ({ id, digest, choice, note }) => {
      host.broker.answer(id, digest, { choice, ...(note === undefined ? {} : { note }) });
      return null;
    },
    "questions.answer": ({ id, text }) => {
      host.questions.answer(id, text);
      return null;
    },
    "trust.review": () => {
      const declared = host.declarations();
      return {
        grant: trustGrants.make(declared, digestOfAll(declared)),
        workspace: host.workspace,
        declarations: declared.map((one) => host.review(one)),
      };
    },
    "trust.grant": async ({ grant }) => {
      const { payload, digest } = trustGrants.spend(grant);
      if (digestOfAll(host.declarations()) !== digest) throw changedSince("what the folder declares");
      await host.trustWorkspace(payload);
      return null;
    },
    "trust.revoke": async () => {
      await host.trust.untrust();
      return null;
    },
    "settings.set": async (change, signal) => {
      await host.changeSettings(change, { sessionId: null, signal });
      return null;
    },
    "policy.explain": ({ tool, input, outsideText }) => host.explain(tool, input, outsideText),
    "background.output": ({ id, lines }) => ({
      output: lastLines(host.background.output(id), lines, mostShown),
    }),
    "background.stop": async ({ id }) => {
      await host.background.stop(id);
      return null;
    },
    "rules.remove": async (rule, signal) => {
      await host.removeRule(rule, { sessionId: null, signal });
      return null;
    },

    "switch.set": async ({ id, enabled }) => {
      await host.setSwitch(id, enabled);
      return null;
    },
    "extensions.reload": async ({ what }) => {
      await host.reload(what);
      return null;
    },
    ...skillHandlers(host),
    "tools.list": () => host.toolRows(),
    "mcp.start": async ({ name }) => {
      await host.mcp.startServer(name);
      return null;
    },
    "mcp.stop": async ({ name }) => {
      await host.mcp.stopServer(name);
      return null;
    },
    "mcp.signOut": async ({ name }) => {
      await host.mcp.signOut(name);
      return null;
    },
    "mcp.restart": async ({ name }) => {
      await host.mcp.restartServer(name);
      return null;
    },
    "mcp.logs": ({ name }) => ({ lines: host.mcp.logs(name) }),
    "mcp.details": ({ name }) => host.mcp.details(name),
    "mcp.approveTools": async ({ name, tools }) => {
      await host.mcp.approveTools(name, tools);
      return null;
    },
    "mcp.answer": ({ id, action, content }) => {
      host.mcpRequests.answer(
        id,
        action === "accept" ? { action, ...(content ? { content } : {}) } : { action },
      );
      return null;
    },
    "mcp.app": (shown, signal) => host.mcpApps.page(shown, signal),
    "mcp.appResult": (shown) => ({ result: host.mcpApps.result(shown) }),
    "mcp.appCall": async ({ tool, input, ...shown }, signal) => ({
      result: await host.mcpApps.call(shown, tool, input, signal),
    }),
    "mcp.appRead": async ({ uri, ...shown }, signal) => ({
      result: await host.mcpApps.read(shown, uri, signal),
    }),
    "mcp.resources": () => host.mcp.features.resources(),
    "mcp.complete": (asked, signal) => host.mcp.features.complete(asked, signal),
    ...mcpEditHandlers(host, serverGrants, reviewServer),
    "mcp.review": ({ name }) => reviewServer({ name }),
    "mcp.approve": async ({ grant }) => {
      const { payload: id, digest } = serverGrants.spend(grant);
      await host.approveServer(id, digest);
      return null;
    },

    "market.search": async ({ query, kind }) => (await host.market()).search(query, kind),
    "market.detail": async ({ id }) => (await host.market()).detail(id),
    "market.plan": async ({ id, scope }) => {
      const plan = await (await host.market()).plan(id, scope);
      return { ...plan, grant: installGrants.make(plan, plan.digest) };
    },
    "market.install": async ({ grant, variables }) => {
      const { payload } = installGrants.spend(grant);
      await host.install(payload, variables);
      return null;
    },
    "market.cancel": async ({ id }) => {
      host.cancelInstall(id);
      return null;
    },
    "market.uninstall": async ({ id }) => {
      await (await host.market()).uninstall(id);
      return null;
    },
  };
}
