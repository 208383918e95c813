/** A problem found in someone's file, shown once and kept in a panel (spec 1). `line` is 1-based. */
export interface Diagnostic {
  /** Stable, kebab-case, for scripts and translation: `skill-name-invalid`. */
  readonly code: string;
  readonly severity: "error" | "warning" | "info";
  readonly message: string;
  readonly path?: string;
  readonly line?: number;
  readonly fix?: string;
}
