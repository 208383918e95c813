import type { Diagnostic } from "../../../shared/diagnostic.ts";

/** A diagnostic of a text whose path its reader knows. */
export type Finding = Omit<Diagnostic, "path">;
