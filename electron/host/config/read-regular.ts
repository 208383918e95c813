import { readText } from "../kit/files.ts";

const mostBytes = 4 * 1024 * 1024;

/**
 * The text of a file of configuration or of a plugin; undefined where there is none.
 * @throws NacreError `io` for what is no regular file, or over 4 MB
 */
export const readRegular = (file: string): string | undefined => readText(file, mostBytes);
