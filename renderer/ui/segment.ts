import type { Component } from "vue";

/** One of a few choices that stand side by side. */
export interface Segment<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly icon?: Component;
  readonly count?: number;
}
