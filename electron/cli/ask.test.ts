import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { guardMs } from "../../shared/approval-keys.ts";
import { createIds, systemClock } from "../host/kit/clock.ts";
import { ApprovalBroker } from "../host/policy/approvals.ts";
import { ServerRequests } from "../host/mcp/requests.ts";
import { Questions } from "../host/tools/questions.ts";
import { askOnTerminal } from "./ask.ts";

/** As much of a terminal as is asked of standard input; `setRawMode` is where a broken one says so. */
class Input extends PassThrough {
  readonly isTTY = true;
  setRawMode = vi.fn<(on: boolean) => void>();
  unref = (): void => undefined;
}
let input: Input;
let said: string;
const hungUp = vi.fn<() => void>();
beforeEach(() => {
  input = new Input();
  said = "";
  hungUp.mockReset();
  vi.spyOn(process, "stdin", "get").mockReturnValue(input as never);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said += String(text);
    return true;
  });
  process.on("SIGHUP", hungUp);
});
afterEach(() => {
  process.off("SIGHUP", hungUp);
  vi.restoreAllMocks();
});
const ids = createIds(systemClock);
const open = () => ({
  broker: new ApprovalBroker({ ids, clock: systemClock }),
  questions: new Questions(ids),
  mcpRequests: new ServerRequests(ids),
});
const request = {
  sessionId: null,
  tool: "run_shell",
  title: "run_shell",
  origin: "builtin",
  perm: "shell",
  digest: "d",
  facts: [],
  because: [],
  rule: null,
  careful: false,
  confined: null,
  askedBy: null,
} as const;
const never = new AbortController().signal;

test("a terminal that fails is asked once: what is open and what comes later is denied, with the reason", async () => {
  input.setRawMode.mockImplementation((on) => {
    if (on) throw new Error("setRawMode EIO");
  });
  const host = open();
  const asked = [host.broker.ask(request, never), host.broker.ask(request, never)];
  const stop = askOnTerminal(host);
  asked.push(host.broker.ask(request, never));
  const denied = { choice: "deny", note: "nobody can be asked at the terminal: setRawMode EIO" };
  expect(await Promise.all(asked)).toEqual([denied, denied, denied]);
  expect(await host.broker.ask(request, never)).toEqual(denied);
  expect(await host.questions.ask("Which?", [], { sessionId: null, callId: "c" }, never)).toBe(denied.note);
  expect(said.split("setRawMode EIO")).toHaveLength(2);
  stop();
});
test.each([
  ["ends", () => void input.end()],
  ["fails", () => void input.destroy(new Error("read EIO"))],
])("a terminal whose input %s has hung up, once, and nothing is asked any more", async (_how, end) => {
  const host = open();
  const asked = host.broker.ask(request, never);
  const stop = askOnTerminal(host);
  await vi.waitFor(() => expect(said).toContain("Esc leave it open"));
  end();
  expect(await asked).toMatchObject({
    choice: "deny",
    note: expect.stringContaining("the terminal is gone"),
  });
  expect(hungUp).toHaveBeenCalledTimes(1);
  stop();
});
test.each([
  ["s", { sessionId: null, rule: "run_shell:make" }],
  ["2", { sessionId: null, rule: "run_shell:make" }],
  ["s", { sessionId: "s1", rule: null }],
  ["a", { sessionId: "s1", rule: null }],
])("the key %s answers nothing where the question does not offer it (%o)", async (key, part) => {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => (now += 10_000));
  const host = open();
  const asked = host.broker.ask({ ...request, ...part }, never);
  const stop = askOnTerminal(host);
  await vi.waitFor(() => expect(said).toContain("Esc leave it open"));
  input.write(key);
  input.write("y");
  expect(await asked).toEqual({ choice: "once" });
  expect(said.match(/→ .*/g)).toEqual(["→ allowed once"]);
  stop();
});

/** Types one key after another, each once the terminal has said what comes before it. */
async function typeAfter(...steps: readonly (readonly [said: string, typed: string])[]): Promise<void> {
  for (const [words, typed] of steps) {
    await vi.waitFor(() => expect(said).toContain(words));
    said = "";
    // A single key answers nothing right after the question came.
    if (typed.length === 1 && typed !== "\r") await pause(guardMs + 50);
    input.write(typed);
  }
}
test("a form of a server is asked field by field, and what does not fit is asked for again", async () => {
  const host = open();
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name" },
      age: { type: "integer", minimum: 1 },
      color: {
        type: "string",
        oneOf: [
          { const: "r", title: "Red" },
          { const: "g", title: "Green" },
        ],
      },
      note: { type: "string", default: "none" },
    },
    required: ["name", "age"],
  };
  const asked = host.mcpRequests.ask({ kind: "form", server: "far", message: "Who?", schema }, never);
  const stop = askOnTerminal(host);
  await typeAfter(
    ["y fill it in", "y"],
    ["Your name", "Ada\r"],
    ["age", "old\r"],
    ["it must be a whole number", "7\r"],
    ["Green", "2\r"],
    ["Enter takes", "\r"],
  );
  expect(await asked).toEqual({
    action: "accept",
    content: { name: "Ada", age: 7, color: "g", note: "none" },
  });
  stop();
});
test("a server's question to the model is shown and can be declined; a page to sign in is printed", async () => {
  const host = open();
  const messages = [{ role: "user" as const, text: "Secret?\u202E" }];
  const asked = host.mcpRequests.ask(
    { kind: "sampling", server: "far", system: "", messages, maxTokens: 9, model: "p/m" },
    never,
  );
  const stop = askOnTerminal(host);
  await vi.waitFor(() => expect(said).toContain("Secret?⟨U+202E⟩"));
  await typeAfter(["n decline", "n"]);
  expect(await asked).toEqual({ action: "decline" });
  const url = "https://login.example/x";
  expect(await host.mcpRequests.ask({ kind: "sign_in", server: "far", url }, never)).toEqual({
    action: "accept",
  });
  expect(said).toContain(url);
  stop();
});
