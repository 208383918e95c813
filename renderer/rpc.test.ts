import { expect, test } from "vitest";
import type { ToHost, ToWindow } from "../shared/topic.ts";
import type { AppView } from "../shared/workspace.ts";
import type { Channel, LinkState } from "./channel.ts";
import { createRpc } from "./rpc.ts";

function pair() {
  const sent: ToHost[] = [];
  let message: (message: ToWindow) => void = () => undefined;
  let state: (state: LinkState) => void = () => undefined;
  const channel: Channel = {
    start(listener) {
      ({ message, state } = listener);
      return () => undefined;
    },
    send: (value) => void sent.push(value),
  };
  const rpc = createRpc(channel);
  return {
    rpc,
    sent,
    state: (next: LinkState) => state(next),
    tell: (value: ToWindow) => message(value),
    last: () => sent.at(-1),
  };
}
const app = (version: string): AppView => ({ version, shell: "browser", recent: [] });
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("a call carries an id and takes the answer with that id", async () => {
  const { rpc, state, tell, last } = pair();
  state("open");
  const answer = rpc.call("chat.create", {});
  expect(last()).toMatchObject({ method: "chat.create", input: {} });
  tell({ id: 99, result: { ok: true, value: "someone else's" } });
  tell({ id: last()?.id ?? 0, result: { ok: true, value: { id: "s1" } } });
  await expect(answer).resolves.toEqual({ id: "s1" });
});

test("an error value becomes an error with its code", async () => {
  const { rpc, state, tell, last } = pair();
  state("open");
  const answer = rpc.call("trust.grant", { grant: "g" });
  tell({ id: last()?.id ?? 0, result: { ok: false, error: { code: "denied", message: "spent" } } });
  await expect(answer).rejects.toMatchObject({ code: "denied", message: "spent" });
});

test("calls made before the first connection wait for it", () => {
  const { rpc, sent, state } = pair();
  void rpc.call("chat.create", {});
  expect(sent).toEqual([]);
  state("open");
  expect(sent).toHaveLength(1);
});

test("a lost connection fails what waits and what comes, until it is back", async () => {
  const { rpc, state } = pair();
  state("open");
  const pending = rpc.call("chat.create", {});
  state("lost");
  await expect(pending).rejects.toMatchObject({ code: "unavailable" });
  await expect(rpc.call("chat.create", {})).rejects.toMatchObject({ code: "unavailable" });
});

function subscribed(told: unknown[]) {
  const { rpc, ...rest } = pair();
  rest.state("open");
  const stop = rpc.subscribe("app", {
    snapshot: (view) => void told.push(["snapshot", view.version]),
    event: (event) => void told.push(["event", event.app.version]),
    failed: (error) => void told.push(["failed", error.code]),
  });
  return { rpc, stop, ...rest };
}

test("a topic gives its snapshot, then events; what was told before is not told twice", async () => {
  const told: unknown[] = [];
  const { tell, last } = subscribed(told);
  tell({ topic: "app", epoch: "e", seq: 9, event: { type: "app", app: app("of an older request") } });
  tell({ id: last()?.id ?? 0, result: { ok: true, value: { epoch: "e", seq: 10, snapshot: app("a") } } });
  await settled();
  tell({ topic: "app", epoch: "e", seq: 10, event: { type: "app", app: app("twice") } });
  tell({ topic: "app", epoch: "e", seq: 11, event: { type: "app", app: app("b") } });
  tell({ topic: "app", epoch: "e", seq: 20, snapshot: app("fresh") });
  expect(told).toEqual([
    ["snapshot", "a"],
    ["event", "b"],
    ["snapshot", "fresh"],
  ]);
});

test("a connection that is back asks for what was missed", async () => {
  const told: unknown[] = [];
  const { tell, last, state } = subscribed(told);
  tell({ id: last()?.id ?? 0, result: { ok: true, value: { epoch: "e", seq: 1, snapshot: app("a") } } });
  await settled();
  state("lost");
  state("open");
  expect(last()).toMatchObject({
    method: "topic.subscribe",
    input: { topic: "app", since: { epoch: "e", seq: 1 } },
  });
  const missed = [{ type: "app", app: app("b") }];
  tell({ id: last()?.id ?? 0, result: { ok: true, value: { epoch: "e", seq: 2, events: missed } } });
  await settled();
  expect(told).toEqual([
    ["snapshot", "a"],
    ["event", "b"],
  ]);
});

test("a topic that does not exist says so; a lost connection does not", async () => {
  const told: unknown[] = [];
  const { tell, last, state } = subscribed(told);
  state("lost");
  await settled();
  expect(told).toEqual([]);
  state("open");
  tell({ id: last()?.id ?? 0, result: { ok: false, error: { code: "not_found", message: "no topic" } } });
  await settled();
  expect(told).toEqual([["failed", "not_found"]]);
});

test("after unsubscribing nothing is told and the host knows", async () => {
  const told: unknown[] = [];
  const { tell, last, stop, sent } = subscribed(told);
  const asked = last()?.id ?? 0;
  stop();
  expect(sent.at(-1)).toMatchObject({ method: "topic.unsubscribe", input: { topic: "app" } });
  tell({ id: asked, result: { ok: true, value: { epoch: "e", seq: 1, snapshot: app("a") } } });
  await settled();
  expect(told).toEqual([]);
});
