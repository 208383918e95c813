/**
 * Stands in for zod inside the bundled `@ai-sdk` packages (see `scripts/without-zod.mjs`): they check a few plain shapes,
 * and zod costs a quarter of a bare Node start. Only what those packages name is here; unknown members are kept.
 */
type Parse = (value: unknown) => unknown;
type Shape = Readonly<Record<string, Schema>>;

/** What the provider's packages call on a schema. `_zod` and `~standard` are the marks by which they know one. */
class Schema {
  readonly _zod = {};
  readonly "~standard" = { version: 1, vendor: "zod" };
  readonly parse: Parse;
  readonly shape: Shape;
  constructor(parse: Parse, shape: Shape = {}) {
    this.parse = parse;
    this.shape = shape;
  }
  nullish(): Schema {
    return new Schema((value) => (value === undefined || value === null ? value : this.parse(value)));
  }
  optional(): Schema {
    return new Schema((value) => (value === undefined ? value : this.parse(value)));
  }
  transform(change: Parse): Schema {
    return new Schema((value) => change(this.parse(value)));
  }
  refine(holds: (value: unknown) => boolean): Schema {
    return new Schema((value) => {
      const parsed = this.parse(value);
      if (!holds(parsed)) throw new TypeError("a value is not as it must be");
      return parsed;
    });
  }
}

const ofType = (type: "string" | "number" | "boolean") => (): Schema =>
  new Schema((value) => {
    if (typeof value !== type) throw new TypeError(`expected ${type}, got ${typeof value}`);
    return value;
  });
const anything = (): Schema => new Schema((value) => value);
const oneOf = (values: readonly unknown[]): Schema =>
  new Schema((value) => {
    if (!values.includes(value)) throw new TypeError(`expected one of ${JSON.stringify(values)}`);
    return value;
  });
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function object(shape: Shape): Schema {
  return new Schema((value) => {
    if (!isRecord(value)) throw new TypeError("expected an object");
    const parsed: Record<string, unknown> = { ...value };
    for (const [key, schema] of Object.entries(shape)) {
      const member = schema.parse(value[key]);
      if (member !== undefined || key in value) parsed[key] = member;
    }
    return parsed;
  }, shape);
}

export const z = {
  any: anything,
  unknown: anything,
  string: ofType("string"),
  number: ofType("number"),
  boolean: ofType("boolean"),
  literal: (value: unknown): Schema => oneOf([value]),
  enum: oneOf,
  object,
  looseObject: object,
  array: (item: Schema): Schema =>
    new Schema((value) => {
      if (!Array.isArray(value)) throw new TypeError("expected a list");
      return value.map((member) => item.parse(member));
    }),
  record: (_key: Schema, item: Schema): Schema =>
    new Schema((value) => {
      if (!isRecord(value)) throw new TypeError("expected an object");
      return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, item.parse(member)]));
    }),
  union: (schemas: readonly Schema[]): Schema =>
    new Schema((value) => {
      let failure: unknown;
      for (const schema of schemas) {
        try {
          return schema.parse(value);
        } catch (error) {
          failure = error;
        }
      }
      throw failure;
    }),
};

/** As zod/v4 does: a value, never a throw. */
export const safeParseAsync = async (
  schema: Schema,
  value: unknown,
): Promise<
  { readonly success: true; readonly data: unknown } | { readonly success: false; readonly error: unknown }
> => {
  try {
    return { success: true, data: schema.parse(value) };
  } catch (error) {
    return { success: false, error };
  }
};
/** Schemas of tools reach the provider as JSON Schema already. */
export const toJSONSchema = (): never => {
  throw new Error("schemas are not converted here");
};
/** Named by the packages' support for zod 3, which nothing here uses. */
export const ZodFirstPartyTypeKind: Readonly<Record<string, string>> = {};
