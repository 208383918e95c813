import type { Plugin } from "vite";

/** @param schemas absolute path of the module that stands in for zod inside the `@ai-sdk` packages */
export function withoutZod(schemas: string): Plugin;
