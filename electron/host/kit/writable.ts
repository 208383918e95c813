/** While it is made, part by part. */
export type Writable<T> = { -readonly [P in keyof T]: T[P] };
