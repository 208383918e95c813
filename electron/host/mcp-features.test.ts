import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { answers, asked, host, notices, open, say, server, userTexts, world } from "./skill-use.testkit.ts";

// What servers offer beside tools, in a conversation of a whole host.
const program = path.join(import.meta.dirname, "../../e2e/fixtures/mcp-servers/features.mjs");
beforeEach(async () => {
  const features = { command: process.execPath, args: [program, "legacy"] };
  world.write("config/mcp.json", JSON.stringify({ mcpServers: { far: features } }));
  await open();
  await host.start();
  expect(await host.settled(30_000)).toEqual({ notReady: [] });
});

test("a mentioned resource is before the model, and the message stays the question", async () => {
  answers({ text: "Long." });
  const session = host.chats.create();
  const report = await say(session, "How long is @far:big:1?");
  expect(report.stopReason).toBe("end");
  const [attached, question] = userTexts(0);
  expect(attached).toContain('<mcp_resource server="far" uri="big:1">');
  expect(question).toBe("How long is @far:big:1?");
  expect(notices(session)).toEqual(["@far:big:1 is long: the model gets its beginning and can read on"]);
});
test("one that cannot be read ends the turn before any model is asked, and the message stays", async () => {
  const session = host.chats.create();
  const report = await say(session, "Look at @far:no:thing");
  expect(report.error?.message).toMatch(/^@far:no:thing cannot be attached: .*Nothing was sent/);
  expect(server.requests).toEqual([]);
  expect(session.view().entries[0]).toMatchObject({ type: "user", text: "Look at @far:no:thing" });
});
test("a prompt of a server is the message that the model gets; a missing argument is named", async () => {
  answers({ text: "Fine." });
  const session = host.chats.create();
  expect((await say(session, "/mcp__far__ask_me")).error?.message).toBe(
    "/mcp__far__ask_me: what is missing; write /mcp__far__ask_me what, or NAME=value",
  );
  expect((await say(session, "/mcp__far__ask_me how are you")).text).toBe("Fine.");
  expect(userTexts(0)).toEqual(["how are you"]);
});
test("the model reads a resource by a tool, through the gate", async () => {
  answers(
    { toolCalls: [{ id: "c1", name: "read_mcp_resource", input: { server: "far", uri: "big:1" } }] },
    { text: "Read." },
  );
  const running = say(host.chats.create(), "Read it");
  const view = await asked();
  expect(view).toMatchObject({ tool: "read_mcp_resource", perm: "net" });
  host.broker.answer(view.id, view.digest, { choice: "once" });
  expect((await running).text).toBe("Read.");
});
