import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { validateSchema } from "../../../../shared/json-schema.ts";
import { modelCaller } from "../tools.testkit.ts";
import type { ToolOutput } from "../types.ts";
import { fetchUrlTool } from "./fetch-url.ts";
import { testRun } from "./test-run.ts";

type Handler = (request: http.IncomingMessage, response: http.ServerResponse) => void;
let server: http.Server;
let base: string;
let handler: Handler;
let requests: string[];
beforeEach(async () => {
  requests = [];
  server = http.createServer((request, response) => {
    requests.push(request.url ?? "");
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const answer = (body: string | Buffer, headers: Record<string, string> = {}, status = 200): void => {
  handler = (_request, response) => response.writeHead(status, headers).end(body);
};
const tool = fetchUrlTool(() => fetch);
function call(input: Record<string, unknown>, signal = new AbortController().signal): Promise<ToolOutput> {
  expect(validateSchema(tool.inputSchema, input)).toEqual({ ok: true });
  return tool.run(input, testRun("/", { signal }));
}

describe("fetch_url", () => {
  it("gives a page as text", async () => {
    answer('<h1>Hi</h1><a href="/x">go</a>', { "content-type": "text/html; charset=utf-8" });
    expect(await call({ url: `${base}/page` })).toEqual({
      output: `${base}/page (text/html)\n\n# Hi\n\ngo (${base}/x)`,
      isError: false,
      sandboxed: null,
    });
  });
  it("gives other text as it is, in its charset", async () => {
    answer('{"a":1}', { "content-type": "application/json" });
    expect((await call({ url: base })).output).toBe(`${base}/ (application/json)\n\n{"a":1}`);
    answer(Buffer.from([0xe9]), { "content-type": "text/plain; charset=latin1" });
    expect((await call({ url: base })).output).toMatch(/é$/);
    answer("x", { "content-type": "text/plain; charset=nonsense" });
    expect((await call({ url: base })).output).toMatch(/x$/);
  });
  it("names what is no text", async () => {
    answer(Buffer.alloc(2_048), { "content-type": "image/png", "content-length": "2048" });
    expect((await call({ url: base })).output).toBe(`${base}/ (image/png, 2 KB) is no text and is not shown`);
  });
  it("is a failure where the server says so, with what it said", async () => {
    answer("no such page", { "content-type": "text/plain" }, 404);
    expect(await call({ url: base })).toMatchObject({
      output: `${base}/ (HTTP 404 Not Found, text/plain)\n\nno such page`,
      isError: true,
    });
  });
  it("follows a redirect on the same host and names one to another, without a request to it", async () => {
    handler = (request, response) => {
      if (request.url === "/old") response.writeHead(302, { location: "/new" }).end();
      else if (request.url === "/away")
        response.writeHead(301, { location: "https://elsewhere.example/x" }).end();
      else if (request.url === "/port") response.writeHead(307, { location: "http://127.0.0.1:1/x" }).end();
      else if (request.url === "/file") response.writeHead(302, { location: "file:///etc/passwd" }).end();
      else response.writeHead(200, { "content-type": "text/plain" }).end("here");
    };
    expect((await call({ url: `${base}/old` })).output).toBe(`${base}/new (text/plain)\n\nhere`);
    expect((await call({ url: `${base}/away` })).output).toMatch(
      /not fetched: https:\/\/elsewhere\.example\/x$/,
    );
    expect((await call({ url: `${base}/port` })).output).toMatch(/not fetched: http:\/\/127\.0\.0\.1:1\/x$/);
    expect((await call({ url: `${base}/file` })).output).toMatch(/not fetched: file:\/\/\/etc\/passwd$/);
  });
  it("ends a circle of redirects", async () => {
    answer("", { location: "/again" }, 302);
    await expect(call({ url: base })).rejects.toThrow(/redirects more than 5 times/);
    expect(requests).toHaveLength(6);
  });
  it("cuts long text and an endless download", async () => {
    answer("x".repeat(100_000), { "content-type": "text/plain" });
    expect((await call({ url: base, limit: 1_024 })).output).toMatch(
      /x{1024}\n\(cut: the first 1 KB are shown\)$/,
    );
    handler = (_request, response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      const more = (): void => {
        while (!response.destroyed && response.write("y".repeat(65_536)));
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    };
    expect((await call({ url: base })).output).toMatch(/\(cut: the first 64 KB are shown\)$/);
  });
  it("says what is wrong with an address, before anything is asked or sent", () => {
    expect(() => tool.touches?.({ url: "file:///etc/passwd" }, modelCaller())).toThrow(
      /no http or https address/,
    );
    expect(() => tool.touches?.({ url: "example.com" }, modelCaller())).toThrow(/no http or https address/);
    expect(() => tool.touches?.({ url: "http://me:secret@example.com/" }, modelCaller())).toThrow(
      /name or password/,
    );
    expect(tool.touches?.({ url: "https://EXAMPLE.com:8443/x" }, modelCaller())).toEqual({
      hosts: ["example.com"],
    });
  });
  it("says why nothing came", async () => {
    await expect(call({ url: "http://127.0.0.1:1/" })).rejects.toThrow(
      /could not be fetched: .*(ECONNREFUSED|bad port)/,
    );
  });
  it("stops", async () => {
    handler = () => undefined;
    const controller = new AbortController();
    const started = call({ url: base }, controller.signal);
    controller.abort(new Error("stopped"));
    await expect(started).rejects.toThrow("stopped");
  });
});
