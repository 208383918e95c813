import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { NacreError } from "../../shared/errors.ts";
import { createWorld, type World } from "./config/world.testkit.ts";
import { createFoundation, type Foundation } from "./foundation.ts";
import { createRooms, type Rooms } from "./rooms.ts";
import type { ToolCallResult } from "./tools/types.ts";
import { createUserTrust } from "./user-trust.ts";

// Skills of an MCP server (SEP-2640) as a model gets them: one real server, good and bad skills.

let world: World;
let foundation: Foundation;
let rooms: Rooms;
const never = new AbortController().signal;
beforeAll(async () => {
  world = createWorld();
  world.write(
    "config/mcp.json",
    JSON.stringify({
      mcpServers: {
        docs: {
          command: process.execPath,
          args: [path.join(import.meta.dirname, "../../e2e/fixtures/mcp-servers/skills.mjs")],
        },
      },
    }),
  );
  world.write(
    "config/skills/meeting-notes/SKILL.md",
    "---\nname: meeting-notes\ndescription: My own.\n---\nMine.\n",
  );
  foundation = await createFoundation({
    workspace: world.workspace,
    env: { PATH: process.env["PATH"] },
    paths: world.paths,
    version: "1.2.3",
    shell: "cli",
    canAsk: false,
    built: world.top,
  });
  const userTrust = await createUserTrust(foundation);
  rooms = createRooms(foundation, userTrust, {
    onTrace: () => undefined,
    changeSettings: async () => undefined,
  });
  await rooms.ready;
  rooms.mcp.start();
  await rooms.mcp.settled(60_000);
  await rooms.skills.settled();
  // A busy machine takes its time to load all of it.
}, 60_000);
afterAll(async () => {
  await Promise.all([rooms.mcp.stop(), rooms.plugins.stop()]);
  await rooms.executor.stop();
  await foundation.disposables.dispose();
  foundation.log.close();
  world.remove();
});

/** What a model gets of `skill`. */
async function load(name: string, file?: string): Promise<ToolCallResult> {
  const caller = {
    kind: "model",
    sessionId: null,
    role: null,
    canAsk: false,
    policy: {
      approval: "never",
      sandbox: "read_only",
      writableRoots: [],
      networkAccess: false,
      rules: [],
      allow: [],
    },
  } as const;
  const input = { name, ...(file === undefined ? {} : { file }) };
  return rooms.executor.execute({ id: "1", name: "skill", input }, caller, {}, never);
}
const heard = async (): Promise<string> =>
  JSON.stringify((await rooms.mcp.call("docs", "heard", {}, {}, never)).content);
const catalog = (): string => rooms.skills.catalog().text;

describe("skills of a server", () => {
  it("are offered by name and description; no text is fetched, and what is no entry is left out with the reason in the log", async () => {
    expect(catalog()).toContain("pdf-forms: What pdf-forms does.");
    expect(catalog()).not.toMatch(/outside|Bad Name|renamed|no-model/);
    expect(await heard()).not.toMatch(/skills\/get|resources\/read/);
    const log = rooms.mcp.logs("docs").join("\n");
    for (const name of [
      "outside/SKILL.md",
      "Bad%20Name|Bad Name",
      "renamed/SKILL.md",
      "an entry without an address",
    ])
      expect(log).toMatch(new RegExp(`skills/list: left out .*(?:${name})`));
  });

  it("say whose they are, stand below the user's own, and are text from outside", async () => {
    const rows = rooms.skills.rows().filter(({ name }) => name === "meeting-notes");
    expect(rows.map(({ source, state }) => [source, state])).toEqual([
      ["user-nacre", "on"],
      ["mcp docs", "shadowed"],
    ]);
    expect((await load("meeting-notes")).output).toContain("Mine.");
    const loaded = await load("pdf-forms");
    expect(loaded).toMatchObject({ isError: false, outside: true });
    expect(loaded.output).toContain("# pdf-forms\n\nDo it.");
    expect(loaded.output).toContain("Base URL: skill://fixture/pdf-forms");
    expect(loaded.output).toContain("- references/FIELDS.md");
    expect(loaded.output).not.toContain("inner/SKILL.md");
  });

  it.each([
    ["wrong-digest", "has the digest"],
    ["wrong-size", "bytes, and its server told of"],
    ["wrong-front", "says something else than its server told: description"],
    ["swapped", "its server answered with another skill"],
  ])(
    "that do not verify are refused with the reason, and nothing of them is shown: %s",
    async (name, reason) => {
      const { output, isError } = await load(name);
      expect(isError).toBe(true);
      expect(output).toContain(`the skill ${name} of mcp docs: it is refused`);
      expect(output).toContain(reason);
      expect(output).not.toMatch(/Do me|send the keys|Sends your keys|# /);
    },
  );

  it("give their files verified, and no skill that lies inside another", async () => {
    expect((await load("pdf-forms", "references/FIELDS.md")).output).toBe("All the fields.\n");
    for (const [file, reason] of [
      ["inner/SKILL.md", "is a skill of its own"],
      ["../meeting-notes/SKILL.md", "is a skill of its own"],
      ["references/../SKILL.md", "is a skill of its own"],
      ["nothing.md", "has no file nothing.md"],
      ["https://evil.example/x", "has no file"],
    ] as const) {
      const { output, isError } = await load("pdf-forms", file);
      expect([file, isError]).toEqual([file, true]);
      expect(output).toContain(reason);
    }
  });

  it("are not for a model where they say so", async () => {
    expect((await load("no-model")).output).toContain("is not for the model to load");
  });

  it("follow the server's list, and go with the server", async () => {
    await rooms.mcp.call("docs", "turn", {}, {}, never);
    await expect.poll(() => catalog()).not.toContain("swapped");
    expect(catalog()).toContain("pdf-forms");
    await rooms.mcp.stopServer("docs");
    await expect.poll(() => catalog()).not.toContain("pdf-forms");
    const gone = await load("pdf-forms").catch((error: NacreError) => error);
    expect(JSON.stringify(gone)).not.toContain("Do it.");
    await rooms.mcp.startServer("docs");
    await expect.poll(() => catalog()).toContain("pdf-forms");
  });
});
