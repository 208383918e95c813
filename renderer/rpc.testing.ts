import { shallowRef } from "vue";
import type { Input, MethodName, Output } from "../shared/contract/index.ts";
import type { TopicName, TopicTypes } from "../shared/topic.ts";
import type { LinkState } from "./channel.ts";
import type { Rpc, TopicHandler } from "./rpc.ts";

type Answers = { readonly [M in MethodName]?: (input: Input<M>) => Output<M> };
export interface MemoryRpc extends Rpc {
  readonly calls: { readonly method: MethodName; readonly input: unknown }[];
  readonly topics: ReadonlySet<string>;
  snapshot<T extends TopicName>(topic: T, snapshot: TopicTypes[T]["snapshot"]): void;
  event<T extends TopicName>(topic: T, event: TopicTypes[T]["event"]): void;
  setState(state: LinkState): void;
}

/** A host in memory for component tests: records the calls, answers with `answers`, tells what the test says. */
export function memoryRpc(answers: Answers = {}): MemoryRpc {
  const state = shallowRef<LinkState>("open");
  const handlers = new Map<string, TopicHandler<TopicName>>();
  const calls: { method: MethodName; input: unknown }[] = [];
  return {
    state,
    calls,
    get topics() {
      return new Set(handlers.keys());
    },
    async call<M extends MethodName>(method: M, input: Input<M>) {
      calls.push({ method, input });
      return (answers[method]?.(input) ?? null) as Output<M>;
    },
    subscribe(topic, handler) {
      handlers.set(topic, handler);
      return () => void handlers.delete(topic);
    },
    snapshot: (topic, snapshot) => handlers.get(topic)?.snapshot(snapshot),
    event: (topic, event) => handlers.get(topic)?.event(event),
    setState: (next) => void (state.value = next),
  };
}
