/** One of a few choices that want a sentence each. `marked` warns of one that lowers a guard. */
export interface ChoiceCard<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly detail: string;
  readonly marked: boolean;
}
