import { inject, shallowReadonly, shallowRef, type InjectionKey, type ShallowRef } from "vue";
import type { Input, MethodName, Output } from "../shared/contract/index.ts";
import { NacreError, toErrorValue, type ErrorValue, type Result } from "../shared/errors.ts";
import type { Position, Subscribed, TopicName, TopicTypes, ToWindow } from "../shared/topic.ts";
import type { Channel, LinkState } from "./channel.ts";

/** What a topic tells: everything at first (and again where something was missed), then each change. */
export interface TopicHandler<T extends TopicName> {
  snapshot(snapshot: TopicTypes[T]["snapshot"]): void;
  event(event: TopicTypes[T]["event"]): void;
  /** The host has no such topic. */
  failed?(error: NacreError): void;
}

/** The renderer's one way to the host. */
export interface Rpc {
  readonly state: Readonly<ShallowRef<LinkState>>;
  /** @throws NacreError with the host's code; `unavailable` while there is no connection. */
  call<M extends MethodName>(method: M, input: Input<M>): Promise<Output<M>>;
  /** One subscription a topic. Survives a broken connection: what was missed is told when it is back. */
  subscribe<T extends TopicName>(topic: T, handler: TopicHandler<T>): () => void;
}

export const rpcKey: InjectionKey<Rpc> = Symbol("rpc");

/** @throws NacreError `internal` outside an app that provides one. */
export function useRpc(): Rpc {
  const rpc = inject(rpcKey);
  if (!rpc) throw new NacreError("internal", "the app has no connection to a host: provide one under rpcKey");
  return rpc;
}

interface Waiter {
  resolve(value: unknown): void;
  reject(error: NacreError): void;
}
interface Subscription {
  readonly handler: TopicHandler<TopicName>;
  position: Position | undefined;
  /** False from the request until its answer: events of that time belong to an older request. */
  answered: boolean;
}

const thrown = (error: ErrorValue): NacreError =>
  new NacreError(error.code, error.message, error.data === undefined ? {} : { data: error.data });
const offline = (): NacreError =>
  new NacreError("unavailable", "the connection to the host is lost; try again when it is back");

/** Binds a channel. Calls made before the first connection wait for it; later ones fail while it is lost. */
export function createRpc(channel: Channel): Rpc & { stop(): void } {
  const state = shallowRef<LinkState>("connecting");
  const waiting = new Map<number, Waiter>();
  const subscriptions = new Map<string, Subscription>();
  const unsent: { id: number; method: string; input: unknown }[] = [];
  let lastId = 0;

  const request = (method: string, input: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (state.value === "lost" || state.value === "refused") return reject(offline());
      lastId += 1;
      waiting.set(lastId, { resolve, reject });
      const message = { id: lastId, method, input };
      if (state.value === "open") channel.send(message);
      else unsent.push(message);
    });

  const settle = (id: number, result: Result<unknown>): void => {
    const waiter = waiting.get(id);
    waiting.delete(id);
    if (result.ok) waiter?.resolve(result.value);
    else waiter?.reject(thrown(result.error));
  };

  const answered = (subscription: Subscription, answer: Subscribed): void => {
    subscription.answered = true;
    subscription.position = { epoch: answer.epoch, seq: answer.seq };
    if ("snapshot" in answer) subscription.handler.snapshot(answer.snapshot);
    else for (const event of answer.events) subscription.handler.event(event);
  };

  const ask = (topic: string, subscription: Subscription): void => {
    subscription.answered = false;
    const input = subscription.position ? { topic, since: subscription.position } : { topic };
    request("topic.subscribe", input).then(
      (answer) => {
        if (subscriptions.get(topic) === subscription) answered(subscription, answer as Subscribed);
      },
      (error: unknown) => {
        // A lost connection is no failure of the topic: it is asked for again when the connection is back.
        const { code, message } = toErrorValue(error);
        if (code !== "unavailable") subscription.handler.failed?.(new NacreError(code, message));
      },
    );
  };

  const told = (message: Exclude<ToWindow, { id: number }>): void => {
    const subscription = subscriptions.get(message.topic);
    if (!subscription?.answered) return;
    const { epoch, seq } = message;
    if (subscription.position?.epoch === epoch && seq <= subscription.position.seq) return;
    subscription.position = { epoch, seq };
    // The host sends to a topic that topic's types alone.
    if ("snapshot" in message)
      subscription.handler.snapshot(message.snapshot as TopicTypes[TopicName]["snapshot"]);
    else subscription.handler.event(message.event as TopicTypes[TopicName]["event"]);
  };

  const stop = channel.start({
    message: (message) => ("id" in message ? settle(message.id, message.result) : told(message)),
    state(next) {
      const first = state.value === "connecting";
      state.value = next;
      if (next === "open") {
        for (const message of unsent.splice(0)) channel.send(message);
        if (!first) for (const [topic, subscription] of subscriptions) ask(topic, subscription);
        return;
      }
      unsent.length = 0;
      for (const waiter of waiting.values()) waiter.reject(offline());
      waiting.clear();
    },
  });

  return {
    state: shallowReadonly(state),
    call: <M extends MethodName>(method: M, input: Input<M>) => request(method, input) as Promise<Output<M>>,
    subscribe(topic, handler) {
      if (subscriptions.has(topic)) throw new NacreError("internal", `${topic} is subscribed to already`);
      const subscription: Subscription = { handler, position: undefined, answered: false };
      subscriptions.set(topic, subscription);
      if (state.value === "open" || state.value === "connecting") ask(topic, subscription);
      return () => {
        if (subscriptions.get(topic) !== subscription) return;
        subscriptions.delete(topic);
        // Without a connection the host has forgotten the subscription anyway.
        if (state.value === "open") request("topic.unsubscribe", { topic }).catch(() => undefined);
      };
    },
    stop,
  };
}
