/** Of package.json, put in by the build. */
declare const __NACRE_VERSION__: string;

/** cross-spawn's escaping for cmd.exe, used as it is: the package types its main function alone. */
declare module "cross-spawn/lib/util/escape.js" {
  export function command(text: string): string;
  export function argument(text: string, twice: boolean): string;
}
