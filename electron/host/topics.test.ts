import fc from "fast-check";
import { expect, test } from "vitest";
import type { AppEvent, AppView } from "../../shared/workspace.ts";
import { Topics } from "./topics.ts";

const app = (n: number): AppView => ({ version: String(n), shell: "cli", recent: [] });
const event = (n: number): AppEvent => ({ type: "app", app: app(n) });
const versions = (events: readonly unknown[]): string[] => events.map((e) => (e as AppEvent).app.version);

test("a subscriber that comes back within the ring gets exactly what it missed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.nat(60), async (before, after) => {
      const topics = new Topics("e1");
      let last = 0;
      topics.define("app", () => app(last));
      const say = (): void => topics.publish("app", event(++last));
      for (let i = 0; i < before; i++) say();
      const since = { epoch: "e1", seq: before };
      for (let i = 0; i < after; i++) say();
      const { answer } = await topics.subscribe("app", since, () => undefined);
      expect("events" in answer && versions(answer.events)).toEqual(
        Array.from({ length: after }, (_, i) => String(before + i + 1)),
      );
      expect(answer.seq).toBe(before + after);
    }),
  );
});
test("another epoch, a lost ring and a position from the future get a snapshot", async () => {
  const topics = new Topics("e1");
  topics.define("app", () => app(7));
  for (let i = 0; i < 2005; i++) topics.publish("app", event(i));
  for (const since of [
    { epoch: "e0", seq: 2005 },
    { epoch: "e1", seq: 3 },
    { epoch: "e1", seq: 9999 },
  ]) {
    const { answer } = await topics.subscribe("app", since, () => undefined);
    expect("snapshot" in answer && answer.snapshot).toEqual(app(7));
  }
});
test("a topic remembers at most 4 MB", async () => {
  const topics = new Topics("e1");
  topics.define("app", () => app(0));
  const big: AppEvent = { type: "app", app: { ...app(1), recent: ["x".repeat(1024 * 1024)] } };
  for (let i = 0; i < 8; i++) topics.publish("app", big);
  const { answer } = await topics.subscribe("app", { epoch: "e1", seq: 1 }, () => undefined);
  expect("snapshot" in answer).toBe(true);
  const near = await topics.subscribe("app", { epoch: "e1", seq: 6 }, () => undefined);
  expect("events" in near.answer && near.answer.events).toHaveLength(2);
});
test("after stop nothing is heard", async () => {
  const topics = new Topics("e1");
  topics.define("app", () => app(0));
  const heard: unknown[] = [];
  const { stop } = await topics.subscribe("app", undefined, (_p, e) => heard.push(e));
  topics.publish("app", event(1));
  await stop();
  topics.publish("app", event(2));
  expect(versions(heard)).toEqual(["1"]);
  expect(topics.wasHeard("app")).toBe(true);
});
test("a missing topic is opened on demand, else not found", async () => {
  const topics = new Topics("e1", async (name) => {
    if (name === "session:a") topics.define("session:a", () => ({}) as never);
  });
  expect((await topics.subscribe("session:a", undefined, () => undefined)).answer).toMatchObject({ seq: 0 });
  await expect(topics.subscribe("session:b", undefined, () => undefined)).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a source that fails leaves nobody listening", async () => {
  const topics = new Topics("e1");
  let broken = true;
  topics.define("app", () => {
    if (broken) throw new Error("unreadable");
    return app(1);
  });
  const heard: unknown[] = [];
  await expect(topics.subscribe("app", undefined, (_, one) => heard.push(one))).rejects.toThrow("unreadable");
  broken = false;
  topics.publish("app", event(1));
  expect(heard).toEqual([]);
});
test("a topic that is let go stays for who listens, and goes with the last of them", async () => {
  const topics = new Topics("e1");
  topics.define("app", () => app(1));
  const heard: unknown[] = [];
  const { stop } = await topics.subscribe("app", undefined, (_, one) => heard.push(one));
  topics.release("app");
  topics.publish("app", event(1));
  expect(versions(heard)).toEqual(["1"]);
  await stop();
  expect(topics.has("app")).toBe(false);
});
test("a position of a topic that has gone is never taken for one of the topic that came after", async () => {
  const topics = new Topics("e1");
  topics.define("app", () => app(0));
  for (let n = 1; n <= 5; n++) topics.publish("app", event(n));
  const before = { epoch: "e1", seq: 5 };
  topics.release("app");
  topics.define("app", () => app(9));
  for (let n = 10; n <= 20; n++) topics.publish("app", event(n));
  const { answer } = await topics.subscribe("app", before, () => undefined);
  expect("snapshot" in answer && answer.snapshot).toEqual(app(9));
});
test("two who ask for a missing topic at once have it opened once", async () => {
  const opened: string[] = [];
  const topics: Topics = new Topics("e1", async (name) => {
    opened.push(name);
    await Promise.resolve();
    topics.define("app", () => app(1));
  });
  await Promise.all([1, 2].map(() => topics.subscribe("app", undefined, () => undefined)));
  expect(opened).toEqual(["app"]);
});
