import { defineStore } from "pinia";
import { computed, shallowRef, type ShallowRef } from "vue";
import { NacreError } from "../../shared/errors.ts";
import type { Entry, SessionEvent, SessionView } from "../../shared/session.ts";
import { navigate } from "../app/route.ts";
import { useRpc } from "../rpc.ts";
import { carryDraft } from "./drafts.ts";
import { oncePerFrame } from "./frame.ts";
import { applyDelta, reduceHead, withOlder, type SessionHead } from "./reduce.ts";
import { entryKind, type Segment } from "./segments.ts";

/**
 * The conversation on screen. Each entry lies in a ref of its own, so that a token touches the one entry it belongs to
 * and nothing that grows with the history; what came within a frame is shown in that frame.
 */
export const useChat = defineStore("chat", () => {
  const rpc = useRpc();
  const sessionId = shallowRef<string | null>(null);
  const head = shallowRef<SessionHead | null>(null);
  const order = shallowRef<readonly string[]>([]);
  const before = shallowRef<string | null>(null);
  const failure = shallowRef<NacreError | null>(null);
  const refs = new Map<string, ShallowRef<Entry>>();
  /** Not reactive: a kind is there before its id comes into `order` and never changes. */
  const kinds = new Map<string, Segment["kind"]>();
  /** The newest version of entries that the next frame shows. */
  const pending = new Map<string, Entry>();
  let stop: (() => void) | undefined;

  const put = (entry: Entry): boolean => {
    const known = refs.get(entry.id);
    if (known) known.value = entry;
    else {
      refs.set(entry.id, shallowRef(entry));
      kinds.set(entry.id, entryKind(entry));
    }
    return !known;
  };
  const show = oncePerFrame(() => {
    const added = [...pending.values()].filter(put).map(({ id }) => id);
    pending.clear();
    if (added.length > 0) order.value = [...order.value, ...added];
  });
  const clear = (): void => {
    show.cancel();
    pending.clear();
    refs.clear();
    kinds.clear();
    order.value = [];
    before.value = null;
    head.value = null;
    failure.value = null;
  };
  const take = (view: SessionView): void => {
    clear();
    view.entries.forEach(put);
    order.value = view.entries.map(({ id }) => id);
    before.value = view.before;
    const { row, running, runningSince, step, queued } = view;
    head.value = { row, running, runningSince, step, queued };
  };
  const hear = (event: SessionEvent): void => {
    if (event.type === "entry") pending.set(event.entry.id, event.entry);
    else if (event.type === "delta") {
      const entry = pending.get(event.entryId) ?? refs.get(event.entryId)?.value;
      if (!entry) return;
      const next = applyDelta(entry, event);
      if (next === entry) return;
      pending.set(entry.id, next);
    } else if (head.value) {
      head.value = reduceHead(head.value, event);
      return;
    }
    show.ask();
  };

  /** Shows a session, or the empty page for null. */
  const open = (id: string | null): void => {
    if (id === sessionId.value) return;
    stop?.();
    stop = undefined;
    clear();
    sessionId.value = id;
    if (id === null) return;
    stop = rpc.subscribe(`session:${id}`, {
      snapshot: take,
      event: hear,
      failed: (error) => void (failure.value = error),
    });
  };
  /** Sends to the open session, or to a new one. */
  const send = async (text: string): Promise<void> => {
    if (sessionId.value === null) {
      const { id } = await rpc.call("chat.create", {});
      carryDraft(id);
      open(id);
      navigate("chat", id, "replace");
    }
    await rpc.call("chat.send", { sessionId: current(), text });
  };
  const current = (): string => {
    if (sessionId.value === null)
      throw new NacreError("not_found", "no chat is open; open one or start a new one");
    return sessionId.value;
  };
  let loading = false;
  /** Loads the page before the oldest entry, where there is one. */
  const loadOlder = async (): Promise<void> => {
    if (loading || before.value === null) return;
    loading = true;
    try {
      const id = current();
      const page = await rpc.call("chat.page", { sessionId: id, before: before.value });
      if (id !== sessionId.value) return;
      for (const entry of page.entries) if (!refs.has(entry.id)) put(entry);
      order.value = withOlder(
        page.entries.map((entry) => entry.id),
        order.value,
      );
      before.value = page.before;
    } finally {
      loading = false;
    }
  };

  return {
    sessionId,
    head,
    order,
    before,
    failure,
    running: computed(() => head.value?.running ?? false),
    /** Reactive for that entry alone. */
    entry: (id: string): Entry | undefined => refs.get(id)?.value,
    /** What the entry is drawn among; reading it depends on nothing. */
    kind: (id: string): Segment["kind"] => kinds.get(id) ?? "entry",
    open,
    send,
    loadOlder,
    stop: () => rpc.call("chat.stop", { sessionId: current() }),
    unqueue: (index: number) => rpc.call("chat.unqueue", { sessionId: current(), index }),
    rename: (title: string) => rpc.call("chat.rename", { sessionId: current(), title }),
    output: (callId: string) => rpc.call("chat.output", { sessionId: current(), callId }),
  };
});
