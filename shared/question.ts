/** A question of the agent to the person (`ask_user`), open until it is answered or its turn ends. */
export interface QuestionView {
  readonly id: string;
  readonly sessionId: string | null;
  readonly callId: string;
  readonly question: string;
  /** Answers to choose from; the person may also write one. */
  readonly options: readonly string[];
}
