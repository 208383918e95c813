import net from "node:net";
import { newLocalAddress } from "./local-address.ts";

/** Two connected ends; what is written to one is read from the other. Both paused. */
export interface SocketPair {
  readonly ours: net.Socket;
  readonly theirs: net.Socket;
}

/**
 * Makes a connected pair of local sockets: Node cannot share one pipe between a child's standard output and
 * error, and two pipes lose the order of what came through them. POSIX only. Rejects where no socket can be made.
 */
export function socketPair(): Promise<SocketPair> {
  const { address, password } = newLocalAddress();
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    const theirs = new net.Socket();
    const fail = (error: Error): void => {
      theirs.destroy();
      server.close();
      reject(error);
    };
    server.once("error", fail);
    theirs.once("error", fail);
    server.on("connection", (ours) => {
      let said = "";
      const hear = (chunk: Buffer): void => {
        said += chunk.toString("latin1");
        if (said.length < password.length) return;
        ours.off("data", hear);
        ours.pause();
        if (said !== password) {
          ours.destroy();
          return;
        }
        theirs.off("error", fail);
        server.close();
        resolve({ ours, theirs });
      };
      ours.on("error", () => ours.destroy());
      ours.on("data", hear);
    });
    server.listen(address, () => theirs.connect(address, () => theirs.write(password)));
  });
}
