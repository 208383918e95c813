import * as z from "zod/mini";
import { contract, type Handlers, type MethodName } from "../../shared/contract/index.ts";
import { toErrorValue, type Result } from "../../shared/errors.ts";
import type { ToWindow } from "../../shared/topic.ts";
import { Disposables, type Dispose } from "./kit/disposable.ts";
import type { Logger } from "./kit/log.ts";
import type { Topics } from "./topics.ts";

/** Any way to a window: ipc, a WebSocket, a pair in memory. */
export interface Channel {
  send(message: ToWindow): void;
  onMessage(listener: (message: unknown) => void): Dispose;
  /** Bytes that are not yet on the wire. */
  unsent(): number;
  onClose(listener: () => void): Dispose;
}
/** What a shell alone can do. */
export interface ShellPorts {
  pickFolder(): Promise<string | null>;
  openFolder(path: string): Promise<{ path: string; reload: boolean }>;
  openLink(url: string): Promise<void>;
}
/** Methods that the door answers itself, from the channel or the shell. */
type DoorMethod =
  | "topic.subscribe"
  | "topic.unsubscribe"
  | "app.pickFolder"
  | "app.openFolder"
  | "app.openLink";
export type HostHandlers = Omit<Handlers, DoorMethod>;
/** What the door needs of a host. */
export interface BoundHost {
  /** The real path of its folder. */
  readonly workspace: string;
  readonly handlers: HostHandlers;
  readonly topics: Topics;
  readonly log: Logger;
}
/** Above this a window gets no events until it has drained, then a fresh snapshot (architecture, idea 4). */
const maxUnsentBytes = 1024 * 1024;
const drainPollMs = 50;

const toHost = z.object({ id: z.number(), method: z.string(), input: z.optional(z.unknown()) });

/** Binds one window to one host: validates input, maps errors, forwards events. Ends with the channel. */
export function bindChannel(channel: Channel, host: BoundHost, shell: ShellPorts): Dispose {
  const disposables = new Disposables();
  const life = new AbortController();
  const subscriptions = new Map<string, Dispose>();
  const behind = new Set<string>();
  let drain: NodeJS.Timeout | undefined;

  const catchUp = (): void => {
    if (channel.unsent() > maxUnsentBytes) return;
    clearInterval(drain);
    drain = undefined;
    for (const topic of behind) {
      const fresh = subscriptions.has(topic) ? host.topics.snapshot(topic) : undefined;
      if (fresh) channel.send({ topic, ...fresh });
    }
    behind.clear();
  };
  const forward = (topic: string, position: { epoch: string; seq: number }, event: unknown): void => {
    if (behind.has(topic)) return;
    if (channel.unsent() > maxUnsentBytes) {
      behind.add(topic);
      drain ??= setInterval(catchUp, drainPollMs);
      return;
    }
    channel.send({ topic, ...position, event });
  };
  const unsubscribe = async (topic: string): Promise<void> => {
    const stop = subscriptions.get(topic);
    subscriptions.delete(topic);
    behind.delete(topic);
    await stop?.();
  };
  const handlers: Handlers = {
    ...host.handlers,
    "topic.subscribe": async ({ topic, since }) => {
      await unsubscribe(topic);
      // What happens while the answer is on its way is sent after it, in order.
      let answered = false;
      const early: (() => void)[] = [];
      const { answer, stop } = await host.topics.subscribe(topic, since, (position, event) =>
        answered ? forward(topic, position, event) : early.push(() => forward(topic, position, event)),
      );
      subscriptions.set(topic, stop);
      setImmediate(() => {
        answered = true;
        for (const send of early) send();
      });
      return answer;
    },
    "topic.unsubscribe": async ({ topic }) => {
      await unsubscribe(topic);
      return null;
    },
    "app.pickFolder": async () => {
      const path = await shell.pickFolder();
      return path === null ? null : { path };
    },
    "app.openFolder": ({ path }) => shell.openFolder(path),
    "app.openLink": async ({ url }) => {
      await shell.openLink(url);
      return null;
    },
  };
  const answer = async (message: unknown): Promise<void> => {
    const parsed = z.safeParse(toHost, message);
    if (!parsed.success) {
      const problem = z.prettifyError(parsed.error);
      host.log.warn("a window sent no valid message", { error: problem });
      // Who can be answered is: otherwise it waits for ever.
      const { data: call } = z.safeParse(z.object({ id: z.number() }), message);
      if (call)
        channel.send({
          id: call.id,
          result: { ok: false, error: { code: "invalid_input", message: `no valid message: ${problem}` } },
        });
      return;
    }
    const { id, method, input } = parsed.data;
    const result = await dispatch(handlers, method, input, life.signal, host.log);
    if (!life.signal.aborted) channel.send({ id, result });
  };
  disposables.add(channel.onMessage((message) => void answer(message)));
  disposables.add(channel.onClose(() => void disposables.dispose()));
  disposables.add(async () => {
    life.abort();
    clearInterval(drain);
    for (const topic of subscriptions.keys()) await unsubscribe(topic);
  });
  return () => disposables.dispose();
}

/** One call from anywhere: unknown methods, bad input and every throwable become error values. */
async function dispatch(
  handlers: Handlers,
  method: string,
  input: unknown,
  signal: AbortSignal,
  log: Logger,
): Promise<Result<unknown>> {
  if (!Object.hasOwn(contract, method))
    return { ok: false, error: { code: "unknown_method", message: `there is no method ${method}` } };
  const name = method as MethodName;
  const parsed = z.safeParse(contract[name].input, input);
  if (!parsed.success)
    return {
      ok: false,
      error: { code: "invalid_input", message: `${method}: ${z.prettifyError(parsed.error)}` },
    };
  try {
    // Input and handler belong to the same name; TypeScript cannot follow that through an index.
    const handler = handlers[name] as (value: unknown, signal: AbortSignal) => unknown;
    return { ok: true, value: await handler(parsed.data, signal) };
  } catch (thrown) {
    const error = toErrorValue(thrown);
    if (error.code === "internal") log.error(`${method} failed`, { error: thrown });
    return { ok: false, error };
  }
}
