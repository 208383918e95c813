/** Of package.json, put in by the build. */
declare const __NACRE_VERSION__: string;
