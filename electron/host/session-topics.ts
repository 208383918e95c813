import type { Foundation } from "./foundation.ts";
import { Disposables, type Dispose } from "./kit/disposable.ts";
import type { Rooms } from "./rooms.ts";
import type { Topics } from "./topics.ts";

type Parts = readonly [
  foundation: Pick<Foundation, "sessions" | "log">,
  rooms: Pick<Rooms, "chats" | "executor">,
  topics: Topics,
];

/**
 * Defines `session:<id>` or `trace:<id>`; any other name is left alone.
 * @throws NacreError `not_found` where there is no such session
 */
export function openSessionTopic(name: string, ...[{ sessions }, { chats }, topics]: Parts): void {
  const id = /^session:(.+)$/.exec(name)?.[1];
  if (id !== undefined) {
    chats.open(id);
    topics.define(`session:${id}`, () => chats.open(id).view());
  }
  const traced = /^trace:(.+)$/.exec(name)?.[1];
  if (traced !== undefined) {
    const record = sessions.read(traced);
    topics.define(`trace:${traced}`, () => ({ rows: record.trace() }));
  }
}
/**
 * Tells the events of conversations, and lets go of what is kept for a conversation when it is closed. What the person
 * allowed "for this session" stays: a conversation in which nothing runs is closed and opened again unseen.
 */
export function followSessions(...[{ log }, { chats, executor }, topics]: Parts): Dispose {
  const listening = new Disposables();
  listening.add(
    chats.onEvent.on(({ id, event }) => {
      const name = `session:${id}` as const;
      if (topics.has(name)) topics.publish(name, event);
    }),
  );
  listening.add(chats.onRow.on((row) => topics.publish("workspace", { type: "session", row })));
  const leftBehind = (error: unknown): void =>
    log.error("what a closed session had left behind could not be cleared away", { error: String(error) });
  listening.add(
    chats.onClose.on((id) => {
      topics.release(`session:${id}`);
      topics.release(`trace:${id}`);
      executor.endSession(id).catch(leftBehind);
    }),
  );
  return () => listening.dispose();
}
