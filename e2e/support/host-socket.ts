import { WebSocket, type RawData } from "ws";

/** The browser shell's socket, spoken to as its page does. */
export interface HostSocket {
  /** @throws Error with the host's words */
  call(method: string, input: object): Promise<Record<string, unknown>>;
  close(): void;
}
interface Answer {
  readonly id?: number;
  readonly result?: {
    readonly ok: boolean;
    readonly value?: Record<string, unknown>;
    readonly error?: { readonly message: string };
  };
}

/** @param url what `nacre serve` prints, with the token in its fragment */
export async function connectTo(url: string): Promise<HostSocket> {
  const { origin, hash } = new URL(url);
  const socket = new WebSocket(origin.replace("http", "ws"), { headers: { origin } });
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  socket.send(JSON.stringify({ token: hash.slice("#token=".length) }));
  // The host may be killed under it: that is what is looked at, not how the socket ends.
  socket.on("error", () => undefined);
  let last = 0;
  return {
    call: (method, input) =>
      new Promise((resolve, reject) => {
        const own = ++last;
        const hear = (data: RawData): void => {
          const { id, result } = JSON.parse((data as Buffer).toString()) as Answer;
          if (id !== own) return;
          socket.off("message", hear);
          if (result?.ok) resolve(result.value ?? {});
          else reject(new Error(result?.error?.message));
        };
        socket.on("message", hear);
        socket.send(JSON.stringify({ id: own, method, input }));
      }),
    close: () => socket.terminate(),
  };
}
