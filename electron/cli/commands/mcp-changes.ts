import { contributionId } from "../../../shared/contribution.ts";
import { NacreError } from "../../../shared/errors.ts";
import { mcpImportClients, type McpImportRow } from "../../../shared/mcp.ts";
import { visibleText } from "../../../shared/visible-text.ts";
import { mcpRun } from "../../host/declarations.ts";
import type { Host } from "../../host/host.ts";
import { toolLine, waitingText, waitingTools } from "../../host/mcp/pins-command.ts";
import { agreed } from "../agreed.ts";
import { UsageError, type Arguments } from "../arguments.ts";
import { withHost } from "../open-host.ts";
import { exitCodes, printError, printJson, printText, table } from "../output.ts";

/** What would start, in full, and all else that the entry says (MCP, SEP-1024: nothing is cut). */
function runText(host: Host, of: { readonly id: string } | { readonly name: string }): string {
  const { command, settings = [] } = mcpRun(host.serverDeclaration(of).declaration);
  const words = command.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)));
  return [
    `starts: ${words.join(" ")}`,
    ...settings.map(({ name, value }) => `  ${name}: ${host.masker.mask(value)}`),
  ].join("\n");
}
/** Whether the person agrees: `--yes`, or an answer at the terminal. */
const agrees = async (args: Arguments, question: string, signal: AbortSignal): Promise<boolean> =>
  args.has("yes") || (await agreed(question, signal));
const idOfOwn = (name: string): string => contributionId("mcp", "user", name);

/** What `add` was given: JSON, a url, or a command with its arguments; `--set` names variables or headers. @throws UsageError */
function declarationOf(words: readonly string[], pairs: readonly string[]): object {
  const [first = "", ...args] = words;
  const given = Object.fromEntries(
    pairs.map((pair) => {
      const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
      if (key === undefined || value === undefined) throw new UsageError(`--set is KEY=VALUE, not "${pair}"`);
      return [key, value];
    }),
  );
  const has = pairs.length > 0;
  if (/^https?:\/\//i.test(first)) return { url: first, ...(has ? { headers: given } : {}) };
  return { command: first, ...(args.length > 0 ? { args } : {}), ...(has ? { env: given } : {}) };
}
/** `nacre mcp add NAME COMMAND…|URL|JSON`: drafts it, and approves it where the person agrees. */
export const addServer = (args: Arguments, name: string, words: readonly string[]): Promise<number> =>
  withHost(args, async (host, signal) => {
    const text = words[0]?.trimStart().startsWith("{")
      ? words.join(" ")
      : JSON.stringify(declarationOf(words, args.list("set")));
    await (await host.mcpEditor()).draft(name, text, false);
    return approveDeclared(host, args, { id: idOfOwn(name) }, signal);
  });

async function approveDeclared(
  host: Host,
  args: Arguments,
  of: { readonly id: string } | { readonly name: string },
  signal: AbortSignal,
): Promise<number> {
  const { id, declaration, digest } = host.serverDeclaration(of);
  const { name, scope } = declaration;
  if (scope === "plugin")
    throw new NacreError(
      "denied",
      `${name} belongs to a plugin, which is trusted as a whole: nacre plugins trust`,
    );
  if (scope === "workspace" && !host.trust.isTrusted())
    throw new NacreError("not_trusted", `${name} waits until this folder is trusted: nacre plugins trust`);
  printError(runText(host, { id }));
  if (await agrees(args, `Approve and start ${name}?`, signal)) await host.approveServer(id, digest);
  else printError(`${name} waits for approval: nacre mcp approve ${name}`);
  const row = host.mcp.rows().find((one) => one.id === id);
  if (args.has("json")) await printJson(row ?? null);
  else
    await printText(
      `${name}: ${row?.state ?? "not there"}${row?.error === undefined ? "" : `: ${row.error}`}`,
    );
  return exitCodes.done;
}

/** `nacre mcp approve NAME [TOOL]`: the declaration where it waits, else the tools that changed or are new. */
export const approveServer = (args: Arguments, name: string, tool: string | undefined): Promise<number> =>
  withHost(args, async (host, signal) => {
    const state = host.mcp.rows().find((row) => row.name === name)?.state;
    if (tool === undefined && (state === "needs_approval" || state === "untrusted"))
      return approveDeclared(host, args, { name }, signal);
    await host.start();
    await host.mcp.startServer(name);
    const waiting = waitingTools(host.mcp.details(name), tool);
    if (waiting.length === 0) {
      printError(`nothing of ${name} waits for approval`);
      return exitCodes.done;
    }
    printError(await waitingText(waiting));
    const names = waiting.map((one) => visibleText(one.name)).join(", ");
    if (!(await agrees(args, `Approve ${names}?`, signal)))
      throw new NacreError("denied", `not approved: ${names}; --yes approves what is shown`);
    await host.mcp.approveTools(
      name,
      waiting.map(({ name: own, digest }) => ({ name: own, digest })),
    );
    if (args.has("json")) await printJson(waiting.map(({ name: own, digest }) => ({ name: own, digest })));
    else await printText(`approved: ${names}`);
    return exitCodes.done;
  });

export const removeServer = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host) => {
    await (await host.mcpEditor()).remove(name);
    if (args.has("json")) await printJson({ name });
    else await printText(`removed ${name}`);
    return exitCodes.done;
  });

/** `nacre mcp test NAME`: one start; what waits for approval is shown and agreed to first. */
export const testServer = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host, signal) => {
    const { id, digest } = host.serverDeclaration({ name });
    if (host.mcp.rows().find((row) => row.name === name)?.state === "needs_approval") {
      printError(runText(host, { name }));
      if (!(await agrees(args, `Start ${name} once?`, signal)))
        throw new NacreError("denied", `${name} was not started; --yes starts it once`);
    }
    const result = await (await host.mcpEditor()).test(id, digest, signal);
    if (args.has("json")) await printJson(result);
    else {
      const { state, title, version, protocol, tools, error, durationMs } = result;
      const who = title === "" ? "" : `  ${title} ${version}, MCP ${protocol}`;
      await printText(`${name}: ${state}  ${tools.length} tools  ${durationMs} ms${who}`);
      if (error !== undefined) printError([error, ...result.stderr].join("\n"));
      for (const problem of result.problems) printError(problem);
    }
    return result.state === "ready" ? exitCodes.done : exitCodes.failed;
  });

export const listTools = (args: Arguments, name: string): Promise<number> =>
  withHost(args, async (host) => {
    await host.start();
    await host.mcp.startServer(name);
    const { tools } = host.mcp.details(name);
    if (args.has("json")) await printJson(tools);
    else await printText(table(tools.map(toolLine)));
    return exitCodes.done;
  });

/** `nacre mcp import [CLIENT]` lists what other clients have; `--add NAME…` drafts it. */
export const importServers = (args: Arguments, words: readonly string[]): Promise<number> =>
  withHost(args, async (host) => {
    const editor = await host.mcpEditor();
    const { rows, files } = await editor.importable();
    for (const { file, error } of files) if (error !== undefined) printError(`${file}: ${error}`);
    if (args.has("add")) return add(args, editor, rows, words);
    const [client] = words;
    if (words.length > 1 || (client !== undefined && !mcpImportClients.some((known) => known === client)))
      throw new UsageError(`CLIENT is one of ${mcpImportClients.join(", ")}`);
    const shown = rows.filter((row) => client === undefined || row.client === client);
    if (args.has("json")) await printJson(shown);
    else if (shown.length === 0) printError("no other client on this machine has MCP servers");
    else {
      await printText(table(shown.map((row) => [row.as, row.state, row.clientName, row.command.join(" ")])));
      for (const row of shown) for (const note of row.notes) printError(`${row.as}: ${note}`);
      printError("nacre mcp import --add NAME… takes them over; each one waits for its approval then");
    }
    return exitCodes.done;
  });
async function add(
  args: Arguments,
  editor: Awaited<ReturnType<Host["mcpEditor"]>>,
  rows: readonly McpImportRow[],
  names: readonly string[],
): Promise<number> {
  if (names.length === 0) throw new UsageError("name the servers: nacre mcp import --add NAME…");
  const ids = names.map((name) => {
    const row = rows.find((one) => one.as === name) ?? rows.find((one) => one.name === name);
    if (!row)
      throw new NacreError("not_found", `no other client has a server ${name}: nacre mcp import lists them`);
    return row.id;
  });
  const { drafted, refused } = await editor.import([...new Set(ids)]);
  for (const { reason } of refused) printError(reason);
  if (args.has("json")) await printJson({ drafted, refused });
  else for (const name of drafted) await printText(`${name}: waits for approval: nacre mcp approve ${name}`);
  return refused.length > 0 ? exitCodes.failed : exitCodes.done;
}
