import type { Codec } from "./codec.ts";

/**
 * One end of `contextBridge`: values are copied, functions become callers across the border. Both worlds of a page run
 * this source, with the two event names swapped.
 */
export function bridgeEnd(outgoing: string, incoming: string, { encode, decode }: Codec) {
  type Callable = (...args: unknown[]) => unknown;
  type Message =
    | { type: "call"; number: number; args: unknown[] }
    | { type: "return" | "throw"; value: unknown }
    | { type: "expose"; key: string; api: object };
  const callables: Callable[] = [];
  const numbers = new Map<Callable, number>();
  let reply: { type: string; value: unknown } | undefined;

  const nameFunction = (callable: Callable): number => {
    const known = numbers.get(callable);
    if (known !== undefined) return known;
    const number = callables.push(callable) - 1;
    numbers.set(callable, number);
    return number;
  };
  const post = (message: Message): void => {
    window.dispatchEvent(new CustomEvent(outgoing, { detail: encode(message, nameFunction) }));
  };
  const makeFunction =
    (number: number): Callable =>
    (...args) => {
      // Events are dispatched at once: the reply has come when `post` returns.
      post({ type: "call", number, args });
      const answer = reply;
      reply = undefined;
      if (answer?.type === "throw") throw answer.value;
      return answer?.value;
    };
  const answer = (number: number, args: unknown[]): Message => {
    try {
      const value = callables[number]?.(...args);
      if (value instanceof Promise) throw new Error("the stand-in's bridge carries no promises");
      return { type: "return", value };
    } catch (error) {
      return { type: "throw", value: error instanceof Error ? error : new Error(String(error)) };
    }
  };
  const freeze = (item: unknown): void => {
    if (item === null || typeof item !== "object") return;
    Object.values(item).forEach(freeze);
    Object.freeze(item);
  };
  window.addEventListener(incoming, (event) => {
    const message = decode((event as CustomEvent<string>).detail, makeFunction) as Message;
    if (message.type === "call") post(answer(message.number, message.args));
    else if (message.type === "expose") {
      freeze(message.api);
      Object.defineProperty(window, message.key, { value: message.api, enumerable: true });
    } else reply = message;
  });
  return { expose: (key: string, api: object): void => post({ type: "expose", key, api }) };
}
