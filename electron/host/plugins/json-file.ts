/** JSON with or without a byte-order mark: its value, or what is wrong and on which 1-based line where that is known. */
export function parseJsonFile(
  text: string,
): { readonly value: unknown } | { readonly problem: string; readonly line?: number } {
  const body = text.startsWith("\uFEFF") ? text.slice(1) : text;
  try {
    return { value: JSON.parse(body) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const offset = /at position (\d+)/.exec(error.message)?.[1];
    const at = offset === undefined ? body.length : Number(offset);
    return { problem: `no JSON: ${error.message}`, line: body.slice(0, at).split("\n").length };
  }
}
