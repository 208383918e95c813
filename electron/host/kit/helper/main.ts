import net from "node:net";
import { askSystem } from "../ask-system.ts";
import { systemCode } from "../files.ts";
import { launch } from "../launch.ts";
import { endTree } from "../windows-tree.ts";
import { endAll } from "./end-all.ts";
import {
  addressOfText,
  addressVariable,
  type FromHelper,
  headerOf,
  lineOf,
  passwordVariable,
  type Purpose,
  readLines,
  type SpawnRequest,
  type ToHelper,
  type Watched,
} from "./protocol.ts";

/**
 * The helper process: it starts programs for a host that has grown large, and ends all that a host had started once the
 * host is gone, however it went. Ends by itself when its host's socket closes.
 */
const address = addressOfText(process.env[addressVariable] ?? "");
const password = process.env[passwordVariable] ?? "";

const watched = new Map<number, Watched>();
let run = "";

/** Resolves when the header is written; the socket is paused. */
function connect(purpose: Purpose): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address, () => {
      socket.write(headerOf(password, purpose), (error) => (error ? reject(error) : resolve(socket)));
    });
    socket.once("error", reject);
  });
}

async function spawnFor(request: SpawnRequest, tell: (message: FromHelper) => void): Promise<void> {
  const { number, merged, command, args } = request;
  const sockets: net.Socket[] = [];
  try {
    for (const stream of merged ? [0, 1] : [0, 1, 2]) sockets.push(await connect({ number, stream }));
    const [input, output, errors = output] = sockets;
    const inputs = request.inputs.map((text) => Buffer.from(text, "base64"));
    const child = await launch(
      { command, args, inputs },
      {
        cwd: request.cwd,
        env: request.env,
        detached: true,
        stdio: [input, output, errors],
      },
    );
    tell({ type: "spawned", number, pid: child.pid ?? 0 });
    child.once("exit", (code, signal) => tell({ type: "exit", number, code, signal }));
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tell({ type: "failed", number, code: systemCode(error) ?? "", message });
  } finally {
    // The child has its own ends.
    for (const socket of sockets) socket.destroy();
  }
}

async function hostIsGone(): Promise<never> {
  // Nobody is left to tell of what cannot be ended; each of the others ends all the same.
  if (process.platform === "win32")
    await Promise.allSettled([...watched.values()].map(({ pid }) => endTree(pid)));
  else await endAll(watched.values(), run, askSystem).catch(() => undefined);
  process.exit(0);
}

async function serve(): Promise<void> {
  const talk = await connect("talk");
  // A terminal tells its whole session of Ctrl+C and of its own end. The host decides; its end is heard by the socket.
  for (const signal of ["SIGINT", "SIGHUP", "SIGTERM"] as const) process.on(signal, () => undefined);
  const tell = (message: FromHelper): void => void talk.write(lineOf(message));
  talk.on("error", () => talk.destroy());
  talk.once("close", () => void hostIsGone());
  readLines(talk, (line) => {
    const message = JSON.parse(line) as ToHelper;
    if (message.type === "run") run = message.run;
    else if (message.type === "watch") watched.set(message.number, message);
    else if (message.type === "forget") watched.delete(message.number);
    else void spawnFor(message, tell);
  });
}
serve().catch(() => process.exit(1));
