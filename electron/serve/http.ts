import { createServer, type RequestListener, type Server } from "node:http";
import { NacreError } from "../../shared/errors.ts";
import type { RendererFile } from "./renderer-files.ts";

/**
 * A server on 127.0.0.1 alone. `port` 0 takes a free one.
 * @throws NacreError `unavailable` where the port is taken or may not be used
 */
export async function listenOnLoopback(port: number): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const why = cause.code === "EADDRINUSE" ? "is used by another program" : `failed (${cause.code})`;
      reject(new NacreError("unavailable", `port ${port} ${why}: choose another one with --port`, { cause }));
    });
    server.listen(port, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new NacreError("internal", "the server has no port");
  return { server, port: address.port };
}

/**
 * Answers GET and HEAD with files of the renderer. A foreign `Host` is refused (421), so that no page on another name
 * that resolves to this machine reads anything.
 * @param origin `http://127.0.0.1:PORT`
 */
export function fileListener(
  origin: string,
  files: (pathname: string, search: string) => Promise<RendererFile | undefined>,
  onError: (error: unknown) => void,
): RequestListener {
  const { host } = new URL(origin);
  return (request, response) => {
    const refuse = (status: number, headers = {}): void =>
      void response.writeHead(status, { "content-length": "0", ...headers }).end();
    if (request.headers.host !== host) return refuse(421);
    if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, { allow: "GET, HEAD" });
    // A target that is no path (`*`, `http://…`) names no file.
    const [, pathname, search = ""] = /^(\/[^?#]*)([^#]*)/.exec(request.url ?? "") ?? [];
    if (pathname === undefined) return refuse(404);
    files(pathname, search).then(
      (file) => {
        if (!file) return refuse(404);
        response.writeHead(200, file.headers).end(request.method === "HEAD" ? undefined : file.body);
      },
      (error: unknown) => {
        onError(error);
        refuse(500);
      },
    );
  };
}
