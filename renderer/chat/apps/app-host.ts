import { toErrorValue } from "../../../shared/errors.ts";
import { isObject, type JsonObject } from "../../../shared/json.ts";
import { cutEnd } from "../../../shared/visible-text.ts";
import { MessageBudget } from "./message-budget.ts";

/** Why an app was ended. */
export type AppFault = "flood" | "too_long";
/** What an app asks a person. */
export interface AppQuestion {
  readonly kind: "link" | "message";
  readonly text: string;
}
/** What an app's messages come to. */
export interface AppPorts {
  /** Nacre's. */
  readonly version: string;
  /** Hands a message to the frame, as JSON. */
  send(text: string): void;
  callTool(tool: string, input: JsonObject): Promise<JsonObject>;
  readResource(uri: string): Promise<unknown>;
  /** True where the person agreed, and it was done. */
  ask(question: AppQuestion): Promise<boolean>;
  /** What the app would have the model know; it replaces what it said before. */
  tellModel(text: string): void;
  /** Height of the app's page, CSS pixels. */
  resized(height: number): void;
  failed(fault: AppFault): void;
  /** Theme, language and the like (MCP Apps, `McpUiHostContext`). */
  context(): JsonObject;
  /** ms */
  now(): number;
}

const protocolVersion = "2026-01-26";
/** Requests of one app that wait for an answer. */
const mostOpen = 8;
/** Characters of what an app would say to a person or a model. */
const longestText = 8_000;
const methodNotFound = -32601;
const invalidParams = -32602;
const refused = -32000;

class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The host's side of one app (MCP Apps 2026-01-26): answers what its page asks, tells it of its call. Nothing it says is trusted. */
export class AppHost {
  readonly #ports: AppPorts;
  readonly #budget: MessageBudget;
  /** What is told as soon as the app is ready, in order. */
  #waiting: [method: string, params: JsonObject][] = [];
  #ready = false;
  #ended = false;
  #open = 0;
  #asking = false;
  #bye: (() => void) | undefined;

  constructor(ports: AppPorts) {
    this.#ports = ports;
    this.#budget = new MessageBudget(() => ports.now());
  }

  /** Counts one message, from whichever of the app's frames; false where the app has ended. */
  count(): boolean {
    if (this.#ended) return false;
    if (this.#budget.take()) return true;
    this.#fail("flood");
    return false;
  }
  /** One message of the app, as the frame handed it over. */
  receive(text: unknown): void {
    if (!this.count() || typeof text !== "string") return;
    let message: unknown;
    try {
      message = JSON.parse(text);
    } catch {
      // It says nothing that could be answered.
      return;
    }
    if (!isObject(message)) return;
    const { method, id } = message;
    if (method === "nacre/too-long") return this.#fail("too_long");
    const params = isObject(message["params"]) ? message["params"] : {};
    if (typeof method !== "string") {
      if (id === "teardown") this.#bye?.();
    } else if (typeof id === "string" || typeof id === "number") void this.#request(id, method, params);
    else this.#notice(method, params);
  }
  /** Tells the app something, once it is ready. */
  tell(method: string, params: JsonObject): void {
    if (this.#ended) return;
    if (this.#ready) this.#post({ method, params });
    else this.#waiting.push([method, params]);
  }
  /** Lets the app know that it ends, and gives it at most `ms`. */
  async end(ms: number): Promise<void> {
    if (this.#ended) return;
    if (this.#ready) {
      const answered = new Promise<void>((resolve) => (this.#bye = resolve));
      this.#post({ id: "teardown", method: "ui/resource-teardown", params: {} });
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
      await Promise.race([answered, late]);
      clearTimeout(timer);
    }
    this.#ended = true;
  }

  #fail(fault: AppFault): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#ports.failed(fault);
  }
  #post(message: JsonObject): void {
    this.#ports.send(JSON.stringify({ jsonrpc: "2.0", ...message }));
  }
  #notice(method: string, params: JsonObject): void {
    if (method === "ui/notifications/initialized") {
      this.#ready = true;
      for (const [name, told] of this.#waiting.splice(0)) this.#post({ method: name, params: told });
    } else if (method === "ui/notifications/size-changed") {
      const height = params["height"];
      if (typeof height === "number" && Number.isFinite(height)) this.#ports.resized(height);
    }
    // The rest is for hosts with a log or a queue of apps (`notifications/message`, `request-teardown`).
  }
  async #request(id: string | number, method: string, params: JsonObject): Promise<void> {
    let answer: JsonObject;
    this.#open += 1;
    try {
      if (this.#open > mostOpen)
        throw new Refusal(refused, `at most ${mostOpen} requests of an app wait at once`);
      answer = { id, result: await this.#answer(method, params) };
    } catch (error) {
      const code = error instanceof Refusal ? error.code : refused;
      answer = { id, error: { code, message: toErrorValue(error).message } };
    } finally {
      this.#open -= 1;
    }
    if (!this.#ended) this.#post(answer);
  }
  async #answer(method: string, params: JsonObject): Promise<unknown> {
    switch (method) {
      case "ui/initialize":
        return {
          protocolVersion,
          hostInfo: { name: "nacre", version: this.#ports.version },
          hostCapabilities: {
            openLinks: {},
            serverTools: {},
            serverResources: {},
            message: { text: {} },
            updateModelContext: { text: {}, structuredContent: {} },
          },
          hostContext: this.#ports.context(),
        };
      case "ping":
        return {};
      case "tools/call": {
        const input = params["arguments"] ?? {};
        if (!isObject(input)) throw new Refusal(invalidParams, "arguments has to be an object");
        return this.#ports.callTool(textOf(params, "name"), input);
      }
      case "resources/read":
        return this.#ports.readResource(textOf(params, "uri"));
      case "ui/open-link":
        return this.#asked({ kind: "link", text: textOf(params, "url") });
      case "ui/message":
        return this.#asked({ kind: "message", text: contentText(params["content"]) });
      case "ui/update-model-context":
        this.#ports.tellModel(contextText(params));
        return {};
      case "ui/request-display-mode":
        return { mode: "inline" };
      case "ui/download-file":
        throw new Refusal(refused, "Nacre saves no files of apps");
      default:
        throw new Refusal(methodNotFound, `Nacre answers no ${cutEnd(method, 80).kept}`);
    }
  }
  /** One question at a time; what comes meanwhile is refused, so that nobody is talked into anything by number. */
  async #asked(question: AppQuestion): Promise<JsonObject> {
    if (question.text.trim() === "") throw new Refusal(invalidParams, "there is no text");
    if (this.#asking) throw new Refusal(refused, "the person has not answered the last question yet");
    this.#asking = true;
    try {
      return (await this.#ports.ask(question)) ? {} : { isError: true };
    } finally {
      this.#asking = false;
    }
  }
}

function textOf(params: JsonObject, key: string): string {
  const value = params[key];
  if (typeof value !== "string" || value === "" || value.length > longestText)
    throw new Refusal(invalidParams, `${key} has to be a text of at most ${longestText} characters`);
  return value;
}
/** The texts of content blocks, bounded; images and the like are for no composer. */
function contentText(content: unknown): string {
  const blocks = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block: unknown) =>
    isObject(block) && block["type"] === "text" && typeof block["text"] === "string" ? [block["text"]] : [],
  );
  return cutEnd(texts.join("\n"), longestText).kept;
}
function contextText({ content, structuredContent }: JsonObject): string {
  const data = structuredContent === undefined ? "" : JSON.stringify(structuredContent, null, 2);
  return cutEnd([contentText(content), data].filter((text) => text !== "").join("\n\n"), longestText).kept;
}
