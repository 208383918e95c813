import { NacreError } from "../../../../shared/errors.ts";
import type { Tool } from "../types.ts";
import { builtin, done, listArgument, objectSchema, textArgument } from "./arguments.ts";

/** Where a person answers: the window, or the terminal. Resolves with the answer's text. */
export type AskUser = (
  question: string,
  options: readonly string[],
  where: { readonly sessionId: string | null; readonly callId: string },
  signal: AbortSignal,
) => Promise<string>;

/** `ask_user`: a question to the person. Without somebody to ask it is an error, never a guess. */
export const askUserTool = (askUser: AskUser | undefined): Tool =>
  builtin({
    name: "ask_user",
    description:
      "Asks the user one question and gives the answer. Use it when only the user can decide; " +
      "give options where the answer is one of a few.",
    perm: "read",
    parallel: () => false,
    inputSchema: objectSchema(
      {
        question: { type: "string", minLength: 1, description: "The question" },
        options: {
          type: "array",
          items: { type: "string", minLength: 1 },
          maxItems: 10,
          description: "Answers to choose from; the user may also write one",
        },
      },
      ["question"],
    ),
    async run(input, run) {
      if (askUser === undefined || !run.caller.canAsk)
        throw new NacreError(
          "unavailable",
          "nobody is here to answer; decide by yourself and say what you assumed",
        );
      const where = { sessionId: run.sessionId, callId: run.callId };
      const answer = await askUser(
        textArgument(input, "question"),
        listArgument(input, "options"),
        where,
        run.signal,
      );
      return done(answer);
    },
  });
