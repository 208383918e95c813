import type { JsonObject } from "../../../../shared/json.ts";
import type { ChatModel } from "../../../../shared/model.ts";
import type { AskPerson } from "../../../../shared/mcp-request.ts";
import { answerElicitation, type ElicitationResult } from "../elicitation.ts";
import { rootsResult, type RootsResult } from "./roots.ts";
import { AnswerError, answerSampling, type SamplingResult } from "./sampling.ts";

export interface AnswerPorts {
  /** The server's name, for the person. */
  readonly name: string;
  /** Absent: no server is told that it may ask. */
  readonly ask?: AskPerson | undefined;
  /** The model that answers a server's question; null where there is none. Absent: no server is told that it may ask one. */
  readonly lendModel?: (() => Promise<ChatModel | null>) | undefined;
  /** The folders in which the app works, the workspace first. Absent: the server is told of none. */
  readonly roots?: (() => readonly string[]) | undefined;
}
type Answer<Result> = (params: JsonObject, signal: AbortSignal) => Promise<Result>;

/** What a server may ask of us, each where somebody is there to answer it; and what it is told that it may. */
export interface Answers {
  readonly capabilities: {
    readonly roots?: { listChanged: boolean };
    readonly elicitation?: { form: Record<string, never>; url: Record<string, never> };
    readonly sampling?: Record<string, never>;
  };
  readonly elicit?: Answer<ElicitationResult>;
  readonly sample?: Answer<SamplingResult>;
  readonly listRoots?: Answer<RootsResult>;
}
export function createAnswers({ name, ask, lendModel, roots }: AnswerPorts): Answers {
  return {
    capabilities: {
      ...(roots ? { roots: { listChanged: true } } : {}),
      ...(ask ? { elicitation: { form: {}, url: {} } } : {}),
      ...(ask && lendModel ? { sampling: {} } : {}),
    },
    ...(ask ? { elicit: (params, signal) => answerElicitation(params, name, ask, signal) } : {}),
    ...(ask && lendModel
      ? { sample: (params, signal) => answerSampling(params, name, ask, lendModel, signal) }
      : {}),
    ...(roots ? { listRoots: () => Promise.resolve(rootsResult(roots())) } : {}),
  };
}

/** Answers a question that came inside of another answer: of a task. @throws AnswerError for what is not offered */
export async function answerInput(
  answers: Answers,
  method: string,
  params: JsonObject,
  signal: AbortSignal,
): Promise<unknown> {
  const answer = {
    "elicitation/create": answers.elicit,
    "sampling/createMessage": answers.sample,
    "roots/list": answers.listRoots,
  }[method];
  if (answer === undefined) throw new AnswerError(-32601, `this client does not answer ${method}`);
  return answer(params, signal);
}
