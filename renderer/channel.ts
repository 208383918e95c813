import type { ToHost, ToWindow } from "../shared/topic.ts";

/** What the desktop's preload puts on the page. */
interface DesktopBridge {
  send(message: ToHost): void;
  /** Answers how to stop listening. */
  onMessage(listener: (message: ToWindow) => void): () => void;
}
declare global {
  interface Window {
    readonly nacre?: DesktopBridge;
  }
}

/** `refused`: the host does not take this page's token; trying again would not help. */
export type LinkState = "connecting" | "open" | "lost" | "refused";

interface ChannelListener {
  readonly message: (message: ToWindow) => void;
  readonly state: (state: LinkState) => void;
}
/** A way to the host. `start` answers how to stop; `send` is called only while the state is `open`. */
export interface Channel {
  start(listener: ChannelListener): () => void;
  send(message: ToHost): void;
}

/** The desktop's channel. The bridge clones what it is given and refuses proxies, so messages go as plain JSON. */
const desktopChannel = (bridge: DesktopBridge): Channel => ({
  start({ message, state }) {
    const stop = bridge.onMessage(message);
    state("open");
    return stop;
  },
  send: (message) => bridge.send(JSON.parse(JSON.stringify(message)) as ToHost),
});

const firstWaitMs = 250;
const longestWaitMs = 5_000;
/** The close code with which the browser shell refuses a token. */
const refusedCode = 4401;

/**
 * The browser shell's channel: a WebSocket whose first message is the token. Comes back by itself after a break,
 * waiting 250 ms and twice as long each time, at most 5 s.
 */
export function socketChannel(
  url: string,
  token: string,
  connect: (url: string) => WebSocket = (address) => new WebSocket(address),
): Channel {
  let socket: WebSocket | undefined;
  return {
    start({ message, state }) {
      let stopped = false;
      let wait = firstWaitMs;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const open = (): void => {
        socket = connect(url);
        socket.addEventListener("open", () => {
          socket?.send(JSON.stringify({ token }));
          wait = firstWaitMs;
          state("open");
        });
        socket.addEventListener("message", (event) => message(JSON.parse(String(event.data)) as ToWindow));
        socket.addEventListener("close", (event) => {
          if (stopped) return;
          if (event.code === refusedCode) return state("refused");
          state("lost");
          timer = setTimeout(open, wait);
          wait = Math.min(wait * 2, longestWaitMs);
        });
      };
      open();
      return () => {
        stopped = true;
        clearTimeout(timer);
        socket?.close();
      };
    },
    send: (message) => socket?.send(JSON.stringify(message)),
  };
}

const tokenKey = "nacre.token";

/**
 * The browser shell's token: from the address (`#token=…`), from where it is removed at once, else from an earlier
 * load of this tab. Empty where there is none.
 */
export function takeToken(): string {
  const token = /^#token=([^&]+)/.exec(location.hash)?.[1];
  if (token !== undefined) {
    sessionStorage.setItem(tokenKey, token);
    history.replaceState(null, "", `${location.pathname}${location.search}#/chat`);
  }
  return sessionStorage.getItem(tokenKey) ?? "";
}

/** The channel of the shell that shows this page. */
export function shellChannel(): Channel {
  if (window.nacre) return desktopChannel(window.nacre);
  return socketChannel(location.origin.replace(/^http/, "ws"), takeToken());
}
