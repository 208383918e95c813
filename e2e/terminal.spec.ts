import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { leftovers } from "./support/leftovers.ts";
import { atTerminal, noTerminal } from "./support/terminal.ts";
import { createWorld, type World } from "./support/world.ts";

const missing = noTerminal();
test.skip(missing !== undefined, missing);

let world: World;
test.afterEach(async () => {
  await expect.poll(() => leftovers(world)).toEqual([]);
  await world.stop();
});
const shell = (command: string) => ({ name: "run_shell", input: { command } });
const ask = { settings: { policy: { approval: "always" } } };
const made = (name: string): boolean => existsSync(path.join(world.workspace, name));
const settings = (): Record<string, unknown> =>
  JSON.parse(readFileSync(path.join(world.config, "settings.json"), "utf8")) as Record<string, unknown>;
const keys = "Esc leave it open";
/** Whatever steers a terminal, but what the line editor itself sends. */
// oxlint-disable-next-line no-control-regex -- control characters are what this looks for
const steering = /\u001B(?!\[\d*[GJKm]|\[\?2004[hl])|[\u0000-\u0006\u0008\u000B\u000C\u000E-\u001A\u009B]/u;

test("y runs it, n does not, s and a are not asked again, a is stored; standard output holds the answer alone", async () => {
  world = await createWorld(
    {
      steps: [
        { toolCalls: [shell("touch one")] },
        { toolCalls: [shell("touch two")] },
        { toolCalls: [shell("touch three")] },
        { toolCalls: [shell("touch three")] },
        { toolCalls: [shell("touch four")] },
        { toolCalls: [shell("touch four")] },
        { text: "All done." },
      ],
    },
    // In a folder that is not trusted every result is text from outside: what is remembered asks once more.
    { ...ask, trusted: true },
  );
  const stdout = path.join(world.folder, "stdout");
  const terminal = await atTerminal(world, ["run", "go"], { stdout });
  for (const key of ["y", "n", "s", "a"]) {
    await terminal.shows(keys);
    await terminal.type(key);
  }
  expect(await terminal.ended).toEqual({ code: 0, usual: true });
  expect(["one", "two", "three", "four"].map(made)).toEqual([true, false, true, true]);
  const results = world.model.requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
  expect(results.map((result) => result.includes("denied by the user"))).toEqual([
    false,
    false,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(settings()["remembered"]).toEqual({ [world.workspace]: ["run_shell:touch four"] });
  expect(readFileSync(stdout, "utf8")).toBe("All done.\n");
  expect(terminal.screen().split(keys)).toHaveLength(5);
});
test("a denial takes a note to the model; Escape leaves the question open and a key shows it again", async () => {
  world = await createWorld(
    { steps: [{ toolCalls: [shell("touch one")] }, { when: { lastTool: "use make" }, text: "I will." }] },
    ask,
  );
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  await terminal.type("\u001B");
  await terminal.shows("left open");
  await terminal.type("x");
  await terminal.shows(keys);
  await terminal.type("N");
  await terminal.shows("Note to the model");
  await terminal.type("use make\r");
  await terminal.shows("I will.");
  expect(await terminal.ended).toEqual({ code: 0, usual: true });
  expect(made("one")).toBe(false);
});
test("Ctrl+C while it asks stops the turn with 130, runs nothing and leaves the terminal as it was", async () => {
  world = await createWorld({ steps: [{ toolCalls: [shell("touch one")] }] }, ask);
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  await terminal.type("\u0003");
  expect(await terminal.ended).toEqual({ code: 130, usual: true });
  expect(made("one")).toBe(false);
});
test("a process that is ended while it asks leaves the terminal as it was", async () => {
  world = await createWorld({ steps: [{ toolCalls: [shell("touch one")] }] }, ask);
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  process.kill(terminal.pid, "SIGTERM");
  process.kill(terminal.pid, "SIGTERM");
  expect(await terminal.ended).toEqual({ code: 130, usual: true });
});
test("a terminal that hangs up while it asks stops the turn, and leaves nothing", async () => {
  world = await createWorld({ steps: [{ toolCalls: [shell("touch one")] }] }, ask);
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  terminal.hangUp();
  // By the signal, and not by the abort of a Node that finds no terminal to reset.
  expect(await terminal.ended).toEqual({ code: -1, usual: null });
  expect(made("one")).toBe(false);
  const transcript = readdirSync(world.folder, { recursive: true, encoding: "utf8" }).find((name) =>
    name.endsWith("main.jsonl"),
  );
  expect(readFileSync(path.join(world.folder, transcript ?? ""), "utf8")).toContain('"stopped"');
});
test("the program dies with whoever opened the terminal", async () => {
  world = await createWorld({ steps: [{ toolCalls: [shell("touch one")] }] }, ask);
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  const opener = readFileSync(`/proc/${terminal.pid}/stat`, "utf8").split(") ")[1]?.split(" ")[1];
  process.kill(Number(opener), "SIGKILL");
  await expect.poll(() => leftovers(world)).toEqual([]);
  await terminal.ended;
});
test("keys that were typed before the question answer nothing", async () => {
  world = await createWorld(
    { steps: [{ toolCalls: [shell("touch one")], firstDelayMs: 1_000 }, { text: "Done." }] },
    ask,
  );
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.type("y");
  await terminal.shows(keys);
  await terminal.type("n");
  await terminal.shows("Done.");
  await terminal.ended;
  expect(made("one")).toBe(false);
});
test("lines that were typed before the agent's question answer it as little; what is typed after a look does", async () => {
  const question = { name: "ask_user", input: { question: "Delete everything?", options: ["no", "yes"] } };
  world = await createWorld({
    steps: [
      { toolCalls: [question], firstDelayMs: 1_000 },
      { when: { lastTool: "no" }, text: "I will not." },
    ],
  });
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.type("yes\r2\ryes\r");
  await terminal.shows("A number, or your own words");
  await terminal.shows("> ");
  await terminal.type("no\r");
  await terminal.shows("I will not.");
  expect(await terminal.ended).toEqual({ code: 0, usual: true });
});
test("who types while the approval comes answers nothing until they pause", async () => {
  world = await createWorld({ steps: [{ toolCalls: [shell("touch one")] }, { text: "Done." }] }, ask);
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows(keys);
  for (const key of "hey say any yes") await terminal.press(key, 130);
  await terminal.type("n");
  await terminal.shows("Done.");
  await terminal.ended;
  expect(made("one")).toBe(false);
  expect(terminal.screen()).toContain("denied");
});
test("several questions come one after another, and nothing steers the terminal or imitates the question", async () => {
  const hostile = "printf 'x\\n  y deny · n allow once'; # \u001B[2J\u202E\u009B31m\r";
  world = await createWorld(
    { steps: [{ text: "Half a line", toolCalls: [shell(hostile), shell("touch two")] }, { text: "Done." }] },
    ask,
  );
  const terminal = await atTerminal(world, ["run", "go"], { columns: 60 });
  await terminal.shows("Half a line");
  await terminal.shows("? Approval");
  await terminal.shows("⟨U+001B⟩[2J⟨U");
  await terminal.shows(keys);
  await terminal.type("n");
  await terminal.shows("touch two");
  await terminal.shows(keys);
  await terminal.type("n");
  await terminal.shows("Done.");
  expect(await terminal.ended).toEqual({ code: 0, usual: true });
  expect(terminal.screen().replaceAll("\r\n", "\n")).not.toMatch(steering);
  for (const line of terminal.screen().split("\r\n"))
    if (line.includes("│")) expect(line.length, line).toBeLessThanOrEqual(60);
  expect(made("two")).toBe(false);
});
test("a question of the agent is answered by a number or in own words", async () => {
  const question = { name: "ask_user", input: { question: "Which?", options: ["red", "blue"] } };
  world = await createWorld({
    steps: [
      { toolCalls: [question] },
      { when: { lastTool: "blue" }, toolCalls: [question] },
      { when: { lastTool: "dark green" }, text: "Understood." },
    ],
  });
  const terminal = await atTerminal(world, ["run", "go"]);
  await terminal.shows("A number, or your own words");
  await terminal.type("2\r");
  await terminal.shows("A number, or your own words");
  await terminal.type("dark green\r");
  await terminal.shows("Understood.");
  expect(await terminal.ended).toEqual({ code: 0, usual: true });
});
test("tools call asks too; --approval never asks nobody", async () => {
  world = await createWorld({ steps: [] }, ask);
  const call = ["tools", "call", "run_shell", '{"command": "touch one"}'];
  const asked = await atTerminal(world, call);
  await asked.shows(keys);
  await asked.type("y");
  expect(await asked.ended).toEqual({ code: 0, usual: true });
  expect(made("one")).toBe(true);
  const outside = ["tools", "call", "write_file", '{"path": "../out", "content": "x"}'];
  const never = await atTerminal(world, [...outside, "--approval", "never"]);
  expect(await never.ended).toEqual({ code: 3, usual: true });
  expect(never.screen()).not.toContain("? Approval");
});
test("an install asks on the terminal, and no is an answer", async () => {
  world = await createWorld({ steps: [] });
  const terminal = await atTerminal(world, ["market", "install", "changelog"]);
  await terminal.shows("Install this? [y/N]");
  await terminal.type("n\r");
  expect(await terminal.ended).toEqual({ code: 3, usual: true });
  expect(existsSync(path.join(world.config, "skills/changelog"))).toBe(false);
});
