import { NacreError } from "../../shared/errors.ts";
import type { Position, Subscribed, TopicName, TopicTypes } from "../../shared/topic.ts";
import type { Dispose } from "./kit/disposable.ts";

/** How much a topic remembers for those who come back (architecture, idea 4). */
const ringEvents = 2000;
const ringBytes = 4 * 1024 * 1024;

interface Remembered {
  readonly seq: number;
  readonly event: unknown;
  readonly bytes: number;
}
type Listener = (position: Position, event: unknown) => void;

interface Topic {
  readonly snapshot: () => unknown;
  readonly ring: Remembered[];
  readonly listeners: Set<Listener>;
  bytes: number;
  seq: number;
  heard: boolean;
  /** Goes with its last listener. */
  released: boolean;
}
/** A topic's source: what a newcomer sees. It is asked at each snapshot. */
export type SnapshotOf<T extends TopicName> = () => TopicTypes[T]["snapshot"];

/**
 * Snapshot, then events, per topic. A subscriber that comes back within the ring gets what it missed, everyone else a
 * snapshot. `openMissing` is asked for a topic that nobody has defined yet (a session that is on disk alone).
 */
export class Topics {
  readonly epoch: string;
  readonly #topics = new Map<string, Topic>();
  readonly #openMissing: (name: string) => Promise<void>;
  readonly #opening = new Map<string, Promise<void>>();
  /** Above every position that a topic which is gone has told: one of the same name goes on behind it. */
  #start = 0;
  constructor(epoch: string, openMissing: (name: string) => Promise<void> = async () => undefined) {
    this.epoch = epoch;
    this.#openMissing = openMissing;
  }
  define<T extends TopicName>(name: T, snapshot: SnapshotOf<T>): Dispose {
    if (this.#topics.has(name)) throw new NacreError("already_exists", `the topic ${name} exists already`);
    this.#topics.set(name, {
      snapshot,
      ring: [],
      listeners: new Set(),
      bytes: 0,
      seq: this.#start,
      heard: false,
      released: false,
    });
    return () => this.#remove(name);
  }
  /** Lets a topic go whose source is at rest: now, or when the last who listens has left. */
  release(name: string): void {
    const topic = this.#topics.get(name);
    if (!topic) return;
    topic.released = true;
    if (topic.listeners.size === 0) this.#remove(name);
  }
  has(name: string): boolean {
    return this.#topics.has(name);
  }
  /** True once anybody has listened: until then a source may skip the work of telling nobody. */
  wasHeard(name: string): boolean {
    return this.#topics.get(name)?.heard ?? false;
  }
  publish<T extends TopicName>(name: T, event: TopicTypes[T]["event"]): void {
    const topic = this.#topics.get(name);
    if (!topic) return;
    topic.seq += 1;
    const bytes = JSON.stringify(event).length;
    topic.ring.push({ seq: topic.seq, event, bytes });
    topic.bytes += bytes;
    while (topic.ring.length > ringEvents || topic.bytes > ringBytes) {
      const oldest = topic.ring.shift();
      if (!oldest) break;
      topic.bytes -= oldest.bytes;
    }
    const position = { epoch: this.epoch, seq: topic.seq };
    for (const listener of topic.listeners) listener(position, event);
  }
  /**
   * Starts listening. What is missed is told in the answer, so no event falls between it and the first call of
   * `listener`.
   * @throws NacreError `not_found` for a topic that does not exist.
   */
  async subscribe(
    name: string,
    since: Position | undefined,
    listener: Listener,
  ): Promise<{ answer: Subscribed; stop: Dispose }> {
    if (!this.#topics.has(name)) await this.#open(name);
    const topic = this.#topics.get(name);
    if (!topic) throw new NacreError("not_found", `there is no topic ${name}`);
    const oldest = topic.ring[0]?.seq ?? topic.seq + 1;
    const caughtUp =
      since?.epoch === this.epoch && since.seq <= topic.seq && since.seq >= oldest - 1
        ? topic.ring.filter((event) => event.seq > since.seq).map(({ event }) => event)
        : undefined;
    // A source that cannot be read fails here, before anybody listens.
    const told = caughtUp ? { events: caughtUp } : { snapshot: topic.snapshot() };
    topic.listeners.add(listener);
    topic.heard = true;
    const stop = (): void => {
      topic.listeners.delete(listener);
      if (topic.released && topic.listeners.size === 0 && this.#topics.get(name) === topic)
        this.#remove(name);
    };
    const answer = { epoch: this.epoch, seq: topic.seq, ...told };
    return { answer: answer as Subscribed, stop };
  }
  /** A fresh snapshot, for a channel that could not take the events. */
  snapshot(name: string): (Position & { snapshot: unknown }) | undefined {
    const topic = this.#topics.get(name);
    return topic && { epoch: this.epoch, seq: topic.seq, snapshot: topic.snapshot() };
  }
  /** Several who ask for the same one wait together. */
  #open(name: string): Promise<void> {
    const known = this.#opening.get(name);
    if (known) return known;
    const opening = this.#openMissing(name).finally(() => this.#opening.delete(name));
    this.#opening.set(name, opening);
    return opening;
  }
  #remove(name: string): void {
    const topic = this.#topics.get(name);
    if (topic) this.#start = Math.max(this.#start, topic.seq + 1);
    this.#topics.delete(name);
  }
}
