import fs from "node:fs";
import http from "node:http";
import https from "node:https";
import net, { type AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createFetch } from "./net.ts";
import { run } from "./process.ts";

let folder: string;
const servers: net.Server[] = [];
const sockets = new Set<{ destroy(): void }>();
let connects: { to: string | undefined; authorization: string | undefined }[];
let proxyPort: number;
let targetPort: number;

async function listen(server: net.Server): Promise<number> {
  servers.push(server);
  server.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}
/** A proxy that leads every name to this machine. */
function makeProxy(answer: number): http.Server {
  return http.createServer().on("connect", (request, client) => {
    connects.push({ to: request.url, authorization: request.headers["proxy-authorization"] });
    sockets.add(client);
    client.on("error", () => client.destroy());
    if (answer !== 200) {
      client.end(`HTTP/1.1 ${answer} No\r\n\r\n`);
      return;
    }
    const port = Number(request.url?.split(":").at(-1));
    const upstream = net.connect(port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy());
  });
}
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-net-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  connects = [];
  proxyPort = await listen(makeProxy(200));
  targetPort = await listen(
    http.createServer((request, response) => {
      if (request.url === "/moved")
        response.writeHead(302, { location: `http://other.test:${targetPort}/` }).end();
      else request.pipe(response.writeHead(200, { "x-host": request.headers.host ?? "" }));
    }),
  );
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

describe("createFetch", () => {
  it("reaches this machine directly, with and without a proxy", async () => {
    for (const env of [{}, { HTTP_PROXY: `http://127.0.0.1:${proxyPort}` }]) {
      const response = await createFetch(env)(`http://127.0.0.1:${targetPort}/`, {
        method: "POST",
        body: "hello",
      });
      expect(await response.text()).toBe("hello");
    }
    expect(connects).toEqual([]);
  });
  it("goes through the proxy, by name, with its password, also where it is sent on", async () => {
    const fetch = createFetch({ HTTP_PROXY: `http://user:p%40ss@127.0.0.1:${proxyPort}` });
    const response = await fetch(`http://model.test:${targetPort}/`, { method: "POST", body: "hello" });
    expect(await response.text()).toBe("hello");
    expect(response.headers.get("x-host")).toBe(`model.test:${targetPort}`);
    await (await fetch(`http://model.test:${targetPort}/moved`)).text();
    const authorization = `Basic ${Buffer.from("user:p@ss").toString("base64")}`;
    expect(connects[0]).toEqual({ to: `model.test:${targetPort}`, authorization });
    expect(connects.at(-1)?.to).toBe(`other.test:${targetPort}`);
  });
  it("streams, and ends the connection on an abort", async () => {
    const closed = new Promise<void>((resolve) => {
      const server = http.createServer((_, response) => {
        response.write("first");
        response.once("close", resolve);
      });
      void listen(server).then(async (port) => {
        const controller = new AbortController();
        const fetch = createFetch({ HTTP_PROXY: `127.0.0.1:${proxyPort}` });
        const { body } = await fetch(`http://model.test:${port}/`, { signal: controller.signal });
        const reader = body?.getReader();
        const part = await reader?.read();
        expect(Buffer.from(part?.value ?? []).toString()).toBe("first");
        controller.abort();
        await expect(reader?.read()).rejects.toThrow();
      });
    });
    await closed;
  });
  it("says what the proxy answered", async () => {
    const port = await listen(makeProxy(407));
    const fetch = createFetch({ HTTP_PROXY: `http://127.0.0.1:${port}` });
    await expect(fetch("http://model.test/")).rejects.toMatchObject({
      cause: {
        code: "network",
        message: expect.stringContaining("wants a user name and password") as unknown,
      },
    });
    const gone = createFetch({ HTTP_PROXY: "http://127.0.0.1:1" });
    await expect(gone("http://model.test/")).rejects.toMatchObject({
      cause: { code: "network", message: expect.stringContaining("the proxy http://127.0.0.1:1") as unknown },
    });
  });
  it("says that the certificates cannot be read", async () => {
    const fetch = createFetch({}, { caFile: path.join(folder, "absent.pem") });
    await expect(fetch("https://127.0.0.1:1/")).rejects.toMatchObject({ code: "configuration" });
  });
});

const openssl = (...args: string[]): Promise<boolean> =>
  run({ command: "openssl", args }).then(
    ({ exit }) => exit.code === 0,
    () => false,
  );
const hasOpenssl = await openssl("version");
describe.skipIf(!hasOpenssl)("createFetch over TLS", () => {
  it("trusts the extra certificates, directly and through the proxy, and no others", async () => {
    const [key, cert] = [path.join(folder, "key.pem"), path.join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=model.test", "-addext", "subjectAltName=DNS:model.test,IP:127.0.0.1"];
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    expect(await openssl("req", "-x509", ...newKey, "-keyout", key, "-out", cert, ...subject)).toBe(true);
    const options = { key: fs.readFileSync(key), cert: fs.readFileSync(cert) };
    const port = await listen(https.createServer(options, (_, response) => response.end("secure")));
    const env = { HTTPS_PROXY: `http://127.0.0.1:${proxyPort}` };
    const trusting = createFetch(env, { caFile: cert });
    expect(await (await trusting(`https://127.0.0.1:${port}/`)).text()).toBe("secure");
    expect(await (await trusting(`https://model.test:${port}/`)).text()).toBe("secure");
    expect(connects).toEqual([{ to: `model.test:${port}`, authorization: undefined }]);
    await expect(trusting(`https://other.test:${port}/`)).rejects.toThrow();
    await expect(createFetch(env)(`https://model.test:${port}/`)).rejects.toThrow();
  });
});
