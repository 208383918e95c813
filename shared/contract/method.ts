import type * as z from "zod/mini";

/** One method of the contract: a schema for its input, a type alone for its output. */
export interface Method<I extends z.ZodMiniType = z.ZodMiniType, O = unknown> {
  readonly input: I;
  /** Carries the type; never a value. */
  readonly output?: O;
}
/** `method(z.object({…})).returns<Row>()` */
export const method = <I extends z.ZodMiniType>(input: I): { returns<O>(): Method<I, O> } => ({
  returns: () => ({ input }),
});
