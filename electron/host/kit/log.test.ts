import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NacreError } from "../../../shared/errors.ts";
import { type FileLogger, type LoggerOptions, createLogger, silentLogger } from "./log.ts";

let folder: string;
let dir: string;
const loggers: FileLogger[] = [];
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "nacre-log-"));
  dir = path.join(folder, "logs");
});
afterEach(() => {
  for (const logger of loggers.splice(0)) logger.close();
  fs.rmSync(folder, { recursive: true, force: true });
});
function make(options: Partial<LoggerOptions> = {}): FileLogger {
  const logger = createLogger({
    dir,
    mask: (text) => text.replaceAll("hunter22", "***"),
    clock: { now: () => 0 },
    ...options,
  });
  loggers.push(logger);
  return logger;
}
const lines = (name = "nacre.jsonl"): unknown[] =>
  fs
    .readFileSync(path.join(dir, name), "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line): unknown => JSON.parse(line));

describe("createLogger", () => {
  it("makes nothing before the first line, and writes it by itself", async () => {
    const logger = make();
    expect(fs.existsSync(dir)).toBe(false);
    logger.info("started", { port: 1 });
    while (!fs.existsSync(path.join(dir, "nacre.jsonl")))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(lines()).toEqual([
      { t: "1970-01-01T00:00:00.000Z", level: "info", message: "started", data: { port: 1 } },
    ]);
  });
  it("names its children, leaves debug out, hides secrets", () => {
    const logger = make();
    logger.debug("no");
    logger.child("mcp").child("github").warn("token hunter22", { header: "hunter22" });
    logger.flush();
    expect(lines()).toMatchObject([
      { level: "warn", name: "mcp.github", message: "token ***", data: { header: "***" } },
    ]);
    const chatty = make({ name: "chatty", debug: true });
    chatty.debug("yes");
    chatty.flush();
    expect(lines("chatty.jsonl")).toHaveLength(1);
  });
  it("tells errors with their causes, and survives what is no JSON", () => {
    const logger = make();
    logger.error("failed", { error: new NacreError("io", "outer", { cause: new Error("inner") }) });
    const circle: { self?: object } = {};
    circle.self = circle;
    logger.error("circle", circle);
    logger.flush();
    expect(lines()).toMatchObject([
      { data: { error: { name: "NacreError", code: "io", message: "outer", cause: { message: "inner" } } } },
      { message: "circle", data: expect.stringContaining("not shown") as unknown },
    ]);
  });
  it("keeps five files", () => {
    const logger = make({ rotateBytes: 200 });
    for (let count = 0; count < 20; count++) {
      logger.info(String(count), { text: "x".repeat(100) });
      logger.flush();
    }
    expect(fs.readdirSync(dir).sort()).toEqual([
      "nacre.1.jsonl",
      "nacre.2.jsonl",
      "nacre.3.jsonl",
      "nacre.4.jsonl",
      "nacre.jsonl",
    ]);
    expect(lines("nacre.jsonl")).toMatchObject([{ message: "19" }]);
    expect(lines("nacre.4.jsonl")).toMatchObject([{ message: "15" }]);
  });
  it("leaves no listener behind", () => {
    const before = process.listenerCount("exit");
    const logger = make();
    logger.info("a");
    logger.close();
    expect(process.listenerCount("exit")).toBe(before);
  });
  it("does not throw where it cannot write, and says so once", () => {
    const said: string[] = [];
    const spy = vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
    fs.writeFileSync(dir, "a file stands here");
    const logger = make();
    for (const message of ["a", "b"]) {
      logger.info(message);
      logger.flush();
    }
    spy.mockRestore();
    expect(said).toEqual([expect.stringContaining("cannot be written")]);
  });
});
it("has a logger that says nothing", () => {
  silentLogger.child("a").error("b");
});
