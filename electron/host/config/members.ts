/** The members of an object in the order of the text, a key that stands twice among them. */
export class Members {
  readonly list: readonly (readonly [string, unknown])[];
  constructor(list: readonly (readonly [string, unknown])[]) {
    this.list = list;
  }
}
