/** One of a few choices that want a sentence each. `mark` says what one that lowers a guard gives up. */
export interface ChoiceCard<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly detail: string;
  readonly mark?: string;
}
