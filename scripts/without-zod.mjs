/**
 * A Vite plugin: inside the `@ai-sdk` packages, zod is the few schemas of `electron/host/models/provider-schemas.ts`.
 * Zod would cost about 27 ms of every start that asks a model. Other packages keep theirs.
 * @type {typeof import("./without-zod.mjs").withoutZod}
 */
export function withoutZod(schemas) {
  return {
    name: "nacre:providers-without-zod",
    enforce: "pre",
    resolveId(source, importer) {
      const fromProvider = importer !== undefined && /[\\/]@ai-sdk[\\/]/.test(importer);
      return fromProvider && (source === "zod/v4" || source === "zod/v3") ? schemas : undefined;
    },
  };
}
