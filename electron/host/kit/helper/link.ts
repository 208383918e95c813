import fs from "node:fs";
import net from "node:net";
import { NacreError } from "../../../../shared/errors.ts";
import { newLocalAddress } from "../local-address.ts";
import { signalQuietly } from "../process-group.ts";
import { isRunning } from "../process-table.ts";
import type { Exit } from "../process.ts";
import type { SystemProcess } from "../system-process.ts";
import {
  addressText,
  addressVariable,
  type FromHelper,
  headerLength,
  lineOf,
  passwordVariable,
  purposeOf,
  readLines,
  type SpawnRequest,
  type ToHelper,
} from "./protocol.ts";
import type { HelperProcess, StartHelper } from "./start-helper.ts";

/** A socket on which nobody says the password is closed after so many ms. */
const patience = 5_000;
/** How often a child is looked at whose helper has died, ms. */
const lookEvery = 250;

interface Pending {
  readonly number: number;
  /** True from the moment on that the caller has the process. */
  given: boolean;
  readonly sockets: (net.Socket | undefined)[];
  pid: number | undefined;
  readonly exit: Promise<Exit>;
  readonly exited: (exit: Exit) => void;
  readonly resolve: (process: SystemProcess) => void;
  readonly reject: (error: Error) => void;
}

/** The host's end of one life of the helper. */
export class HelperLink {
  /** Resolves when the helper listens; rejects where it ended before. */
  readonly ready: Promise<void>;
  /** Resolves when the process has ended and nothing of the link is left open. */
  readonly ended: Promise<void>;
  readonly #server = net.createServer();
  readonly #local = newLocalAddress();
  readonly #children = new Map<number, Pending>();
  #process: HelperProcess | undefined;
  #talk: net.Socket | undefined;

  constructor(start: StartHelper, environment: NodeJS.ProcessEnv) {
    let heard: () => void = () => undefined;
    const talking = new Promise<void>((resolve) => (heard = resolve));
    this.#server.unref();
    this.#server.on("connection", (socket) => this.#greet(socket, heard));
    const gone = this.#run(start, environment);
    this.ready = Promise.race([
      talking,
      gone.then(() => {
        throw new NacreError("unavailable", "the helper process ended before it was ready");
      }),
    ]);
    // Who waits for it hears of a failure; nobody has to.
    this.ready.catch(() => undefined);
    this.ended = gone.then(
      () => this.#close(),
      () => this.#close(),
    );
  }
  /** True while it can be asked to start programs. */
  get isReady(): boolean {
    return this.#talk !== undefined;
  }
  /** As `HelperProcess`. Known once it is ready. */
  get mayEndWithHost(): boolean {
    return this.#process?.mayEndWithHost === true;
  }
  say(message: ToHelper): void {
    this.#talk?.write(lineOf(message));
  }
  /**
   * Has a program started, its streams connected to this process.
   * @throws the system's error, as a direct start does
   */
  spawn(request: SpawnRequest): Promise<SystemProcess> {
    if (!this.isReady) throw new NacreError("unavailable", "the helper process is gone");
    let exited: (exit: Exit) => void = () => undefined;
    const exit = new Promise<Exit>((resolve) => (exited = resolve));
    return new Promise((resolve, reject) => {
      const sockets = Array.from({ length: request.merged ? 2 : 3 }, () => undefined);
      const { number } = request;
      this.#children.set(number, {
        number,
        given: false,
        sockets,
        pid: undefined,
        exit,
        exited,
        resolve,
        reject,
      });
      this.#hold();
      this.say({ type: "spawn", ...request });
    });
  }
  /** Closes the link: the helper ends what it still watches and goes. Resolves when it has ended. */
  async stop(): Promise<void> {
    // One that hangs is killed; until then this holds the process.
    const timer = setTimeout(() => this.#process?.kill(), patience);
    await this.ready.catch(() => undefined);
    this.#talk?.destroy();
    await this.ended;
    clearTimeout(timer);
  }
  /** As a child of our own would, one of the helper keeps this process running. */
  #hold(): void {
    if (this.#children.size > 0) this.#talk?.ref();
    else this.#talk?.unref();
  }

  async #run(start: StartHelper, environment: NodeJS.ProcessEnv): Promise<void> {
    const { address, password } = this.#local;
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(address, resolve);
    });
    this.#process = start({
      ...environment,
      [addressVariable]: addressText(address),
      [passwordVariable]: password,
    });
    await this.#process.ended;
  }
  #close(): void {
    this.#talk?.destroy();
    this.#talk = undefined;
    this.#server.close();
    // The file of a socket, where there is one, is gone with the server; not so where another process closed it.
    if (process.platform === "darwin") fs.rmSync(this.#local.address, { force: true });
    for (const child of this.#children.values()) {
      if (child.given && child.pid !== undefined) {
        void orphanExit(child.pid).then(child.exited);
        continue;
      }
      // Half a start is none.
      if (child.pid !== undefined) signalQuietly(-child.pid, "SIGKILL");
      for (const socket of child.sockets) socket?.destroy();
      child.reject(new NacreError("unavailable", "the helper process ended while it started a program"));
    }
    this.#children.clear();
  }
  /** A connection counts once it has said the password. */
  #greet(socket: net.Socket, heard: () => void): void {
    socket.on("error", () => socket.destroy());
    const timer = setTimeout(() => socket.destroy(), patience).unref();
    const hear = (): void => {
      const header = socket.read(headerLength) as Buffer | null;
      if (header === null) return;
      clearTimeout(timer);
      socket.off("readable", hear);
      const purpose = purposeOf(header.toString("latin1"), this.#local.password);
      if (purpose === "talk") {
        this.#talk = socket;
        socket.unref();
        socket.once("close", () => (this.#talk = undefined));
        readLines(socket, (line) => this.#hear(JSON.parse(line) as FromHelper));
        heard();
        return;
      }
      const child = purpose && this.#children.get(purpose.number);
      if (!child || purpose.stream >= child.sockets.length) {
        socket.destroy();
        return;
      }
      child.sockets[purpose.stream] = socket;
      this.#settle(child);
    };
    socket.on("readable", hear);
    socket.once("close", () => clearTimeout(timer));
  }
  #hear(message: FromHelper): void {
    const child = this.#children.get(message.number);
    if (!child) return;
    if (message.type === "spawned") {
      child.pid = message.pid;
      this.#settle(child);
    } else if (message.type === "exit") child.exited({ code: message.code, signal: message.signal });
    else {
      this.#forget(child);
      for (const socket of child.sockets) socket?.destroy();
      child.reject(Object.assign(new Error(message.message), { code: message.code }));
    }
  }
  /** The word of the start and the streams come by different sockets, in any order. */
  #settle(child: Pending): void {
    const { pid, exit } = child;
    const [stdin, ...outputs] = child.sockets.filter((socket) => socket !== undefined);
    if (pid === undefined || stdin === undefined || outputs.length + 1 < child.sockets.length) return;
    child.given = true;
    void exit.then(() => {
      this.#forget(child);
      // As Node does with a child of its own.
      stdin.destroy();
    });
    child.resolve({ pid, stdin, outputs, exit });
  }
  #forget({ number }: Pending): void {
    this.#children.delete(number);
    this.#hold();
  }
}

/** Who waited for the child is gone, and with it the code it ended with. */
async function orphanExit(pid: number): Promise<Exit> {
  while (isRunning(pid)) await new Promise((resolve) => setTimeout(resolve, lookEvery));
  return { code: null, signal: null };
}
