import { isOffered, type ApprovalChoice, type ApprovalView } from "../../shared/approval.ts";
import { choiceOfKey, TypingGuard } from "../../shared/approval-keys.ts";
import { NacreError, toErrorValue } from "../../shared/errors.ts";
import type { McpRequestView } from "../../shared/mcp-request.ts";
import type { QuestionView } from "../../shared/question.ts";
import type { Host, HostOptions } from "../host/host.ts";
import { askRequest } from "./ask-request.ts";
import { answerOfLine, approvalText, questionText, type AskPlace } from "./ask-text.ts";
import { Keyboard } from "./keyboard.ts";
import { printError } from "./output.ts";

/** A person sits at a terminal: their keys come in, and they see standard error; `--approval never` asks nobody. */
export const canAskHere = ({ policy }: Pick<HostOptions, "policy">): boolean =>
  process.stdin.isTTY && process.stderr.isTTY && policy?.approval !== "never";

/** What else writes to the terminal, and waits while a question stands there. */
export interface Holdable {
  hold(): void;
  release(): void;
}
type Open =
  | { readonly kind: "approval"; readonly view: ApprovalView }
  | { readonly kind: "question"; readonly view: QuestionView }
  | { readonly kind: "request"; readonly view: McpRequestView };

const nothingElse: Holdable = { hold: () => undefined, release: () => undefined };

/**
 * Asks on the terminal what the host asks: one question after another, on standard error, answered by the keys of spec
 * 4. Ctrl+C is the interrupt that it always is. Where the terminal fails nobody can answer there any more: what is asked
 * is denied. Gives how to stop; then the terminal is as it was.
 */
export function askOnTerminal(
  host: Pick<Host, "broker" | "questions" | "mcpRequests">,
  printer: Holdable = nothingElse,
): () => void {
  const keyboard = new Keyboard();
  /** What stands on the terminal, and how it is taken off. */
  let shown: { readonly id: string; readonly close: AbortController } | undefined;
  /** Why nothing can be asked any more. */
  let failure: string | undefined;

  const waiting = (): Open[] => [
    ...host.broker.pending().map((view): Open => ({ kind: "approval", view })),
    ...host.questions.open().map((view): Open => ({ kind: "question", view })),
    ...host.mcpRequests.open().map((view): Open => ({ kind: "request", view })),
  ];
  const next = (): void => {
    const open = waiting();
    if (shown !== undefined) {
      // Answered, or taken back by what asked.
      if (!open.some(({ view }) => view.id === shown?.id)) shown.close.abort();
      return;
    }
    const [first] = open;
    if (first === undefined) return;
    if (failure !== undefined) return deny(first, failure);
    const close = new AbortController();
    shown = { id: first.view.id, close };
    ask(first, open.length, close.signal)
      .catch((error: unknown) => {
        failure = `nobody can be asked at the terminal: ${toErrorValue(error).message}`;
        printError(failure);
      })
      .finally(() => {
        printer.release();
        shown = undefined;
        next();
      });
  };
  /** What waits behind it follows: each answer is a change. */
  function deny({ kind, view }: Open, note: string): void {
    if (kind === "approval") host.broker.answer(view.id, view.digest, { choice: "deny", note });
    else if (kind === "question") host.questions.answer(view.id, note);
    else host.mcpRequests.answer(view.id, { action: "decline" });
  }
  /** Resolves when the question is no longer open. @throws where the terminal fails */
  async function ask(open: Open, total: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      printer.hold();
      const place: AskPlace = { width: process.stderr.columns || 80, total };
      if (open.kind === "approval") await askApproval(open.view, place, signal);
      else if (open.kind === "question") await askQuestion(open.view, place, signal);
      else {
        const answer = await askRequest(open.view, place, keyboard, signal);
        if (answer && !signal.aborted) host.mcpRequests.answer(open.view.id, answer);
      }
      if (signal.aborted) return;
      if (keyboard.isGone) throw new NacreError("unavailable", "the terminal is gone");
      printError("  (left open: press any key to see it again)");
      printer.release();
      await keyboard.key(signal);
    }
  }
  /** Resolves when it was answered or taken back, or the person leaves it open. */
  async function askApproval(view: ApprovalView, place: AskPlace, signal: AbortSignal): Promise<void> {
    const guard = new TypingGuard(performance.now());
    printError(approvalText(view, place));
    for (;;) {
      const key = await keyboard.key(signal);
      if (key === undefined) return;
      // Who is typing, for something else, answers nothing.
      const now = performance.now();
      if (!guard.passes(now)) continue;
      if (key === "escape") return;
      if (key === "v") printError(approvalText(view, { ...place, whole: true }));
      else if (key === "N") {
        const note = await keyboard.line("  Note to the model: ", signal);
        if (note === undefined) continue;
        answer(view, "deny", note.trim());
        return;
      } else {
        const choice = choiceOfKey(key);
        if (choice === undefined || !isOffered(choice, view)) {
          guard.restart(now);
          continue;
        }
        answer(view, choice);
        return;
      }
    }
  }
  function answer(view: ApprovalView, choice: ApprovalChoice, note = ""): void {
    printError(`  → ${choice === "deny" ? "denied" : words[choice]}`);
    host.broker.answer(view.id, view.digest, { choice, ...(note === "" ? {} : { note }) });
  }
  async function askQuestion(view: QuestionView, place: AskPlace, signal: AbortSignal): Promise<void> {
    printError(questionText(view, place));
    await keyboard.quiet(signal);
    for (;;) {
      const line = await keyboard.line("  > ", signal);
      if (line === undefined) return;
      const text = answerOfLine(view, line);
      if (text === undefined) continue;
      host.questions.answer(view.id, text);
      return;
    }
  }
  const stops = [
    host.broker.onChange.on(next),
    host.questions.onChange.on(next),
    host.mcpRequests.onChange.on(next),
  ];
  next();
  return () => {
    for (const stop of stops) void stop();
    shown?.close.abort();
    keyboard.stop();
  };
}
const words: Readonly<Record<Exclude<ApprovalChoice, "deny">, string>> = {
  once: "allowed once",
  session: "allowed for this session",
  always: "always allowed here",
};
