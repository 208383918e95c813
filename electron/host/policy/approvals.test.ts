import { describe, expect, test } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { ApprovalBroker, type ApprovalRequest } from "./approvals.ts";

const request = (over: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  sessionId: "s1",
  tool: "run_shell",
  title: "run_shell",
  origin: "builtin",
  perm: "shell",
  digest: "d1",
  facts: [{ label: "command", values: ["make"] }],
  because: [{ code: "no_sandbox" }],
  rule: "run_shell:make",
  careful: false,
  confined: false,
  askedBy: null,
  ...over,
});
const never = new AbortController().signal;
const only = (broker: ApprovalBroker): { id: string; digest: string } => {
  const view = broker.pending()[0];
  if (!view) throw new Error("nothing is asked");
  return view;
};

test("questions queue, and each is answered by its own id", async () => {
  const broker = new ApprovalBroker({ clock: { now: () => 7 } });
  const seen: number[] = [];
  broker.onChange.on((pending) => seen.push(pending.length));
  const first = broker.ask(request(), never);
  const second = broker.ask(request({ digest: "d2" }), never);
  const [one, two] = broker.pending();
  expect(one).toMatchObject({ digest: "d1", t: 7 });
  expect(one).not.toHaveProperty("stillAsks");
  broker.answer(two?.id ?? "", "d2", { choice: "deny", note: "no" });
  broker.answer(one?.id ?? "", "d1", { choice: "once" });
  expect(await second).toEqual({ choice: "deny", note: "no" });
  expect(await first).toEqual({ choice: "once" });
  expect(seen).toEqual([1, 2, 1, 0]);
});
test("an answer holds for the digest that was shown, and once", async () => {
  const broker = new ApprovalBroker();
  const asked = broker.ask(request(), never);
  const { id } = only(broker);
  expect(() => broker.answer(id, "other", { choice: "once" })).toThrow(
    /something else than what run_shell asks/,
  );
  broker.answer(id, "d1", { choice: "once" });
  await asked;
  expect(() => broker.answer(id, "d1", { choice: "once" })).toThrow(/no longer open/);
});
test("an abort takes the question back", async () => {
  const broker = new ApprovalBroker();
  const stop = new AbortController();
  const asked = broker.ask(request(), stop.signal);
  stop.abort();
  await expect(asked).rejects.toMatchObject({ name: "AbortError" });
  expect(broker.pending()).toEqual([]);
  await expect(broker.ask(request(), stop.signal)).rejects.toMatchObject({ name: "AbortError" });
  expect(broker.pending()).toEqual([]);
});
test("the 65th open question of a conversation is denied at once, and nobody else's", async () => {
  const broker = new ApprovalBroker();
  const open = Array.from({ length: 64 }, () => broker.ask(request(), new AbortController().signal));
  expect(await broker.ask(request(), never)).toEqual({
    choice: "deny",
    note: "denied: 64 questions are open already",
  });
  const others = ["s2", null].map((sessionId) => broker.ask(request({ sessionId }), never));
  expect(broker.pending()).toHaveLength(66);
  broker.end();
  await Promise.all(others);
  expect(await Promise.all(open)).toHaveLength(64);
});

describe("this session", () => {
  test("is remembered as the rule that was offered, for that session", async () => {
    const broker = new ApprovalBroker();
    const asked = broker.ask(request(), never);
    broker.answer(only(broker).id, "d1", { choice: "session" });
    await asked;
    const remembered = {
      tool: "run_shell",
      pattern: "make",
      answer: "allow",
      source: "session",
      trusted: true,
    };
    expect(broker.remembered("s1")).toEqual([remembered]);
    expect(broker.remembered("s2")).toEqual([]);
    expect(broker.remembered(null)).toEqual([]);
  });
  test("cannot be chosen where there is no rule", () => {
    const broker = new ApprovalBroker();
    broker
      .ask(request({ rule: null }), never)
      .catch((error: unknown) => expect(error).toBeInstanceOf(NacreError));
    const { id } = only(broker);
    expect(() => broker.answer(id, "d1", { choice: "always" })).toThrow(/no rule to remember/);
    expect(broker.pending()).toHaveLength(1);
  });
});
test("this session cannot be chosen where there is no session", async () => {
  const broker = new ApprovalBroker();
  const asked = broker.ask(request({ sessionId: null }), never);
  const { id } = only(broker);
  expect(() => broker.answer(id, "d1", { choice: "session" })).toThrow(/belongs to no session/);
  expect(broker.pending()).toHaveLength(1);
  broker.answer(id, "d1", { choice: "always" });
  expect(await asked).toEqual({ choice: "always" });
});

test("a rule that is taken back is remembered in no session", async () => {
  const broker = new ApprovalBroker();
  for (const sessionId of ["s1", "s2"]) {
    const asked = broker.ask(request({ sessionId }), never);
    broker.answer(only(broker).id, "d1", { choice: "always" });
    await asked;
  }
  broker.forgetRule("run_shell:other");
  expect(broker.remembered("s1")).toHaveLength(1);
  broker.forgetRule("run_shell:make");
  expect([broker.remembered("s1"), broker.remembered("s2")]).toEqual([[], []]);
});
test("the app's end denies whatever is open and forgets everything", async () => {
  const broker = new ApprovalBroker();
  const asked = [request(), request({ sessionId: null })].map((one) => broker.ask(one, never));
  broker.openFolders("s1", ["/out"]);
  broker.end();
  expect(await Promise.all(asked)).toEqual(
    Array.from({ length: 2 }, () => ({ choice: "deny", note: "the app has ended" })),
  );
  expect([broker.pending(), broker.openedFolders("s1")]).toEqual([[], []]);
});
test("of two windows the second one is told that the question is gone", async () => {
  const broker = new ApprovalBroker();
  const asked = broker.ask(request(), never);
  const { id } = only(broker);
  broker.answer(id, "d1", { choice: "deny" });
  await asked;
  let thrown: unknown;
  try {
    broker.answer(id, "d1", { choice: "once" });
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toMatchObject({
    code: "not_found",
    message: "this question is no longer open: it was answered or stopped",
  });
});
test("an answer settles the questions that it covers", async () => {
  const broker = new ApprovalBroker();
  const stillAsks = (): boolean => broker.remembered("s1").length === 0;
  const all = [1, 2, 3].map(() => broker.ask(request({ stillAsks }), never));
  broker.answer(only(broker).id, "d1", { choice: "session" });
  expect((await Promise.all(all)).map(({ choice }) => choice)).toEqual(["session", "once", "once"]);
});
test("a folder that was opened is known to the session, and settles what asks for it", async () => {
  const broker = new ApprovalBroker();
  const asked = broker.ask(request({ stillAsks: () => !broker.openedFolders("s1").includes("/out") }), never);
  broker.openFolders("s1", ["/out"]);
  expect(await asked).toEqual({ choice: "once" });
  expect(broker.openedFolders("s2")).toEqual([]);
  broker.openFolders(null, ["/x"]);
  expect(broker.openedFolders(null)).toEqual([]);
});
