import { NacreError } from "../../../shared/errors.ts";
import { isObject } from "../../../shared/json.ts";
import type { ModelErrorData, ModelFailure } from "../../../shared/model.ts";
import { BrokenAnswer } from "./chat-answer.ts";

/** What an error message names. */
export interface ModelEndpoint {
  readonly provider: string;
  readonly model: string;
  readonly baseUrl: string;
  /** Where the key comes from, in words: `NACRE_API_KEY`; null where none is sent. */
  readonly keySource: string | null;
  /** Taken out of what the server says. */
  readonly apiKey?: string;
}
/** What is known of a failed call, whatever library threw it. */
interface Failure {
  readonly status: number | undefined;
  readonly code: string;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
}

const shownText = 300;
const oneLine = (text: string): string => {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > shownText ? `${line.slice(0, shownText)}…` : line;
};

/**
 * How long to wait, ms: `retry-after-ms`, else `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * @param now ms since the epoch
 */
function retryAfter(headers: Readonly<Record<string, unknown>>, now: number): number | undefined {
  const ms = headers["retry-after-ms"];
  if (typeof ms === "string" && /^\d+(\.\d+)?$/.test(ms)) return Number(ms);
  const value = headers["retry-after"];
  if (typeof value !== "string") return undefined;
  if (/^\d+(\.\d+)?$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

const words = {
  credit:
    /insufficient[_ ](quota|balance|credits?|funds)|exceeded your current quota|billing|payment required/i,
  context:
    /context[_ ](length|size|window)|maximum context|too many (input )?tokens|prompt is too long|exceeds? the (available )?context/i,
  tools:
    /(does not|doesn't|not) support (the )?(tools?|function)|tool (use|calling|choice)[^.]{0,40}not supported|support tool use|tools param requires|enable-auto-tool-choice/i,
  model:
    /model[^.]{0,80}(not found|does not exist|not exist|unknown|invalid|no such)|(unknown|no such|invalid) model|not a valid model|model_not_found/i,
};

function classify({ status, code, text }: Failure): ModelFailure {
  const all = `${code} ${text}`;
  if (status === 402 || words.credit.test(all)) return "credit";
  if (status === 401 || status === 403) return "key";
  if (status === 429) return "rate_limit";
  if (words.context.test(all) || status === 413) return "context";
  if (words.tools.test(all)) return "no_tools";
  if (status === 404 || words.model.test(all)) return "unknown_model";
  return status !== undefined && status >= 500 ? "server" : "rejected";
}

const setKey = (at: ModelEndpoint): string =>
  `set it under models.providers.${at.provider}.apiKey as \${NAME}, or in NACRE_API_KEY with NACRE_BASE_URL`;

function explain(
  failure: ModelFailure,
  at: ModelEndpoint,
  said: string,
  retryMs: number | undefined,
): string {
  const answer = said === "" ? "" : ` (it said: ${said})`;
  switch (failure) {
    case "key":
      return at.keySource === null
        ? `${at.provider} wants an API key and none is set${answer}; ${setKey(at)}`
        : `${at.provider} refused the API key from ${at.keySource}${answer}; check the key and what it may use`;
    case "credit":
      return `the account at ${at.provider} has no credit left${answer}; top it up, or choose another model`;
    case "unknown_model":
      return `${at.provider} at ${at.baseUrl} does not know the model ${at.model}${answer}; choose another model, or check the base URL`;
    case "rate_limit":
      return `${at.provider} takes no more requests just now${answer}; try again ${retryMs === undefined ? "later" : `in ${Math.ceil(retryMs / 1000)} s`}`;
    case "context":
      return `the conversation no longer fits into the context of ${at.model}${answer}; start a new session, or choose a model with a larger context`;
    case "no_tools":
      return `${at.model} cannot call tools${answer}; choose a model that can, or switch tool calling on at the server`;
    case "server":
      return `${at.provider} failed${answer}; try again later`;
    case "rejected":
      return `${at.provider} refused the request${answer}`;
    case "unreachable":
      return `${at.provider} cannot be reached at ${at.baseUrl}${answer}; check that it runs, the base URL, and the proxy`;
    case "broken":
      return `the answer of ${at.model} broke off before its end${answer}; what came is kept, try again`;
  }
}

function make(failure: ModelFailure, at: ModelEndpoint, found: Failure, cause: unknown): NacreError {
  const { status, retryAfterMs } = found;
  const data: ModelErrorData = {
    failure,
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
  const text = at.apiKey ? found.text.replaceAll(at.apiKey, "…") : found.text;
  const said = [status === undefined ? "" : `${status}`, oneLine(text)]
    .filter((part) => part !== "")
    .join(": ");
  const network = failure === "unreachable" || failure === "broken";
  return new NacreError(network ? "network" : "model", explain(failure, at, said, retryAfterMs), {
    cause,
    data,
  });
}

/** The innermost error of a chain that names a system code or says anything: `connect ECONNREFUSED 127.0.0.1:1`. */
function rootText(thrown: unknown): string {
  let text = thrown instanceof Error ? thrown.message : String(thrown);
  for (let at: unknown = thrown, depth = 0; at instanceof Error && depth < 8; depth += 1) {
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at.cause;
    if (!(inner instanceof Error)) break;
    const code = (inner as { code?: unknown }).code;
    text = inner.message === "" && typeof code === "string" ? code : inner.message || text;
    at = inner;
  }
  return text;
}

/** Text and code of an error document: `{"error": {"message", "code", "type"}}`, `{"error": "text"}`, `{"message"}`. */
function errorDocument(raw: unknown): { text: string; code: string } {
  const inner = isObject(raw) && raw["error"] !== undefined ? raw["error"] : raw;
  if (typeof inner === "string") return { text: inner, code: "" };
  if (!isObject(inner)) return { text: "", code: "" };
  const member = (key: string): string => {
    const value = inner[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : "";
  };
  return { text: member("message") || member("detail"), code: `${member("code")} ${member("type")}`.trim() };
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    // A page instead of a document: its text is shown as it is.
    return text.startsWith("<") ? undefined : { error: text };
  }
};

/**
 * A failed model call in plain words and with the next step. Takes an answer with an error's status (`statusCode`,
 * `responseHeaders`, `responseBody`), what `fetch` throws, and the `{"error": …}` chunk of a stream.
 * @param answered whether a part of the answer had come already
 */
export function modelError(thrown: unknown, at: ModelEndpoint, answered: boolean, now: number): NacreError {
  if (thrown instanceof NacreError) return thrown;
  const none: Failure = { status: undefined, code: "", text: "", retryAfterMs: undefined };
  if (isObject(thrown) && typeof thrown["statusCode"] === "number" && thrown["statusCode"] >= 400) {
    const headers = isObject(thrown["responseHeaders"]) ? thrown["responseHeaders"] : {};
    const body = typeof thrown["responseBody"] === "string" ? thrown["responseBody"] : "";
    const { text, code } = errorDocument(parsed(body));
    const message = typeof thrown["message"] === "string" ? thrown["message"] : "";
    const found = {
      status: thrown["statusCode"],
      code,
      text: text || message,
      retryAfterMs: retryAfter(headers, now),
    };
    return make(classify(found), at, found, thrown);
  }
  if (!(thrown instanceof Error)) {
    const { text, code } = errorDocument(thrown);
    const status = /^[45]\d\d$/.exec(code.split(" ")[0] ?? "") ? Number(code.split(" ")[0]) : undefined;
    const found = { ...none, status, code, text: text || "an error without a message" };
    return make(classify(found), at, found, thrown);
  }
  const text = rootText(thrown);
  const ended = answered || thrown instanceof BrokenAnswer || /terminated|other side closed/.test(text);
  return make(ended ? "broken" : "unreachable", at, { ...none, text }, thrown);
}
