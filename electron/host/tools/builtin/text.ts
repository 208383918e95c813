/** `34 KB`, `1.2 MB`: sizes for people, in steps of 1,024. */
export function bytesInWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1024;
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit += 1) value /= 1024;
  return `${value < 10 ? value.toFixed(1).replace(/\.0$/, "") : Math.round(value)} ${units[unit]}`;
}
/** True where the first 8 KB hold a zero byte: git and ripgrep tell text from data by it. */
export const looksBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, 8_192).includes(0);

/** How many lines a text has; one that ends without a line break counts. */
export function countLines(text: string): number {
  if (text === "") return 0;
  let count = text.endsWith("\n") ? 0 : 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
/** `1 file`, `2 files` */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`;
