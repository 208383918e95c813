import type { McpTestResult } from "../../../shared/mcp.ts";
import { cutEnd, visibleName, visibleText } from "../../../shared/visible-text.ts";
import type { McpDeclaration } from "../config/types.ts";
import { tokensOf } from "./details.ts";
import type { ServerLog } from "./server-log.ts";
import { McpServer } from "./server.ts";
import type { ServerPorts } from "./start-attempt.ts";

const shownLines = 20;
const longestDescription = 500;

/**
 * Starts a declaration once, lists its tools and ends it, beside whatever else runs under its name. Nothing is kept but
 * the lines of `log`. Rejects with the signal's reason alone, and then nothing of it is left, either.
 */
export async function testServer(
  declaration: McpDeclaration,
  log: ServerLog,
  ports: Omit<ServerPorts, "onChange" | "onEvent" | "permit">,
  signal: AbortSignal,
): Promise<McpTestResult> {
  const { clock } = ports;
  const began = clock.now();
  const once = { ...declaration, config: { ...declaration.config, autoRestart: false } };
  const server = new McpServer(once, log, {
    ...ports,
    // Who tests it has been shown what starts; a draft waits, and one that is off is tried out all the same.
    gate: () => "open",
    cache: { read: () => undefined, write: () => undefined },
    onChange: () => undefined,
    onEvent: () => undefined,
    permit: () => undefined,
  });
  const stop = (): void => void server.end();
  signal.addEventListener("abort", stop, { once: true });
  try {
    await server.start();
    signal.throwIfAborted();
    const { state, connection, tools, problems, transport } = server;
    const error =
      state.name === "failed" || state.name === "exited"
        ? state.error
        : state.name === "needs_setup"
          ? `not set: ${state.missing.join(", ")}`
          : undefined;
    return {
      state: state.name,
      ...(error === undefined ? {} : { error: visibleText(error) }),
      title: visibleName(connection?.serverInfo.name ?? ""),
      version: visibleName(connection?.serverInfo.version ?? ""),
      protocol: connection?.protocol ?? "",
      transport,
      tools: tools.map((tool) => ({
        name: visibleName(tool.name),
        description: visibleText(cutEnd(tool.description, longestDescription).kept),
        tokens: tokensOf(tool),
      })),
      problems: problems.map((problem) => visibleText(problem)),
      stderr: log.tail.slice(-shownLines).map((line) => visibleText(line)),
      durationMs: clock.now() - began,
    };
  } finally {
    signal.removeEventListener("abort", stop);
    await server.end();
  }
}
