import { describe, expect, it } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import {
  describe as inWords,
  httpStatus,
  isNetworkFailure,
  isServerAnswer,
  isSessionLost,
  toCallError,
} from "./call-errors.ts";

const failure = (message: string, fields: object = {}, cause?: unknown): Error =>
  Object.assign(new Error(message, { cause }), fields);
const fetchFailed = new TypeError("fetch failed", {
  cause: failure("connect ECONNREFUSED 127.0.0.1:1", { code: "ECONNREFUSED" }),
});

describe("errors of calls", () => {
  it("are told apart by their fields", () => {
    const lost = failure("Error POSTing", { code: "CLIENT_HTTP_NOT_IMPLEMENTED", data: { status: 404 } });
    expect(httpStatus(lost)).toBe(404);
    expect(httpStatus(failure("outer", {}, lost))).toBe(404);
    expect(httpStatus(failure("answer", { code: -32602 }))).toBeUndefined();
    expect(httpStatus(failure("Insufficient scope", { requiredScope: undefined }))).toBe(403);
    expect(isSessionLost(lost)).toBe(true);
    expect(isSessionLost(failure("Bad Request: No valid session ID", { data: { status: 400 } }))).toBe(true);
    expect(isSessionLost(failure("Bad Request", { data: { status: 400 } }))).toBe(false);
    expect(isServerAnswer(failure("Invalid params", { code: -32602 }))).toBe(true);
    expect(isServerAnswer(failure("Not found", { code: 404 }))).toBe(false);
    expect(isNetworkFailure(fetchFailed)).toBe(true);
    expect(isNetworkFailure(failure("x", { code: "INVALID_RESULT" }))).toBe(false);
  });
  it.each([
    [failure("t", { code: "REQUEST_TIMEOUT" }), "timeout", "did not answer within 2 s"],
    [failure("c", { code: "CONNECTION_CLOSED" }), "unavailable", "the server is gone"],
    [failure("u", { data: { status: 401 } }), "needs_setup", "HTTP 401"],
    [failure("s", { data: { status: 503 } }), "network", "failed with HTTP 503: s"],
    [fetchFailed, "network", "fetch failed: connect ECONNREFUSED 127.0.0.1:1"],
    [failure("Invalid result", { code: "INVALID_RESULT" }), "unavailable", "Invalid result"],
    [new NacreError("denied", "no"), "denied", "no"],
  ])("%s becomes %s", (error, code, text) => {
    expect(toCallError(error, "the tool", 2000)).toMatchObject({
      code,
      message: expect.stringContaining(text),
    });
  });
  it("are put in one line with their causes, each once", () => {
    expect(inWords(failure("a\n  b", {}, failure("a b")))).toBe("a b");
    expect(inWords(failure("outer", {}, new AggregateError([new Error("x"), new Error("y")])))).toBe(
      "outer: x; y",
    );
    expect(inWords("text")).toBe("text");
  });
});
