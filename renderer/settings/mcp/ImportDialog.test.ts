import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import type { McpReview } from "../../../shared/contract/mcp.ts";
import type { McpImportRow } from "../../../shared/mcp.ts";
import { mcpRow } from "../../fixtures.testing.ts";
import { mountApp } from "../../mount.testing.ts";
import { memoryRpc } from "../../rpc.testing.ts";
import McpTab from "./McpTab.vue";

const row = (part: Partial<McpImportRow>): McpImportRow => ({
  id: part.name ?? "a",
  client: "cursor",
  clientName: "Cursor",
  file: "/home/me/.cursor/mcp.json",
  name: "a",
  transport: "stdio",
  command: ["npx", "a server"],
  brings: [],
  notes: [],
  state: "new",
  as: part.name ?? "a",
  ...part,
});
const review = (name: string): McpReview => ({
  grant: `g-${name}`,
  name,
  run: { what: "", command: ["npx", name] },
  digest: `digest-of-${name}`,
});
const rpcOf = () =>
  memoryRpc({
    "mcp.importable": () => ({
      rows: [
        row({ name: "tides", notes: ["envFile is not read here"] }),
        row({ name: "here", state: "present" }),
        row({ name: "files", state: "renamed", as: "files-2" }),
        row({ name: "docker", state: "unusable", notes: ["inputs cannot be asked for"] }),
      ],
      files: [
        { client: "cursor", clientName: "Cursor", file: "/home/me/.cursor/mcp.json", servers: 4 },
        {
          client: "gemini",
          clientName: "Gemini",
          file: "/home/me/.gemini/settings.json",
          servers: 0,
          error: "no valid JSON",
        },
      ],
    }),
    "mcp.import": ({ ids }) => ({ reviews: ids.map(review), refused: [] }),
    "mcp.logs": () => ({ lines: [] }),
    "mcp.test": () => ({
      state: "failed",
      error: "exited with code 3",
      title: "",
      version: "",
      protocol: "",
      transport: "stdio",
      tools: [],
      problems: [],
      stderr: ["boom"],
      durationMs: 4,
    }),
    "mcp.review": ({ name }) => ({ ...review(name), grant: `again-${name}` }),
  });
const press = async (name: string): Promise<void> => {
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.trim() === name);
  if (!button) throw new Error(`no button ${name}`);
  button.click();
  await flushPromises();
};
const dialog = () => document.querySelector("[role=dialog]");

test("what other apps know is shown with what cannot be taken over; what is chosen is reviewed one by one", async () => {
  const rpc = rpcOf();
  mountApp(McpTab, { rpc, view: { mcp: [mcpRow()] } });
  await press("From other apps…");
  expect(dialog()?.textContent).toContain("envFile is not read here");
  expect(dialog()?.textContent).toContain("becomes files-2");
  expect(dialog()?.textContent).toContain("no valid JSON");
  const boxes = [...document.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
  expect(boxes.map(({ disabled }) => disabled)).toEqual([false, true, false, true]);
  boxes[0]?.click();
  boxes[2]?.click();
  await flushPromises();
  await press("Take over 2 and review");
  expect(rpc.calls.find(({ method }) => method === "mcp.import")?.input).toEqual({ ids: ["tides", "files"] });
  expect(dialog()?.textContent).toContain("1 of 2");
  expect(dialog()?.textContent).toContain("tides");
  await press("Later");
  expect(dialog()?.textContent).toContain("2 of 2");
  await press("Approve and start");
  expect(rpc.calls.at(-1)).toEqual({ method: "mcp.approve", input: { grant: "g-files" } });
  expect(dialog()).toBeNull();
});

test("a try spends its grant and approves nothing; what is approved then has a grant of its own", async () => {
  const rpc = rpcOf();
  mountApp(McpTab, { rpc, view: { mcp: [mcpRow({ name: "tides", state: "needs_approval" })] } });
  await flushPromises();
  await press("Review");
  await press("Test");
  expect(dialog()?.textContent).toContain("It did not come up");
  expect(dialog()?.textContent).toContain("boom");
  expect(rpc.calls.some(({ method }) => method === "mcp.approve")).toBe(false);
  await press("Approve and start");
  expect(rpc.calls.at(-1)).toEqual({ method: "mcp.approve", input: { grant: "again-tides" } });
  const used = rpc.calls.filter(({ method }) => method === "mcp.test").map(({ input }) => input);
  expect(used).toEqual([{ grant: "again-tides" }]);
});
