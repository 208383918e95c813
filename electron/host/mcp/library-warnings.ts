/** What the MCP client library writes to the console begins so. */
const mark = "[mcp-sdk]";
let hear: (text: string) => void = () => undefined;
let isTaken = false;

/**
 * The client library has no other place for its warnings than the console, which is the person's terminal and, for a
 * headless run, its output. From now on they go to `listener`, the last one that was given, and everything else stays as it is.
 */
export function takeLibraryWarnings(listener: (text: string) => void): void {
  hear = listener;
  if (isTaken) return;
  isTaken = true;
  const { warn } = console;
  console.warn = (...data: unknown[]): void => {
    const [first] = data;
    if (typeof first === "string" && first.startsWith(mark))
      hear(data.map(String).join(" ").slice(mark.length).trim());
    else warn.apply(console, data);
  };
}
