/**
 * Reads a stream of server-sent events (WHATWG HTML, 9.2.6) as far as answers of models use them: the data of each event,
 * its lines joined. Names of events, ids and comments are passed over.
 */
export class EventStream {
  readonly #decoder = new TextDecoder();
  /** The beginning of a line whose end has not come. */
  #rest = "";
  #data: string[] = [];

  /** The data of the events that this piece of the stream ended. */
  push(bytes: Uint8Array): string[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }));
  }
  /** The data of an event that the stream's end cut off before its empty line: some servers leave that out. */
  end(): string[] {
    return this.#read(`${this.#decoder.decode()}\n\n`);
  }
  #read(text: string): string[] {
    const lines = (this.#rest + text).split(lineEnd);
    this.#rest = lines.pop() ?? "";
    // A carriage return at the end may be half of a line's end.
    if (this.#rest === "" && text.endsWith("\r")) this.#rest = `${lines.pop() ?? ""}\r`;
    const found: string[] = [];
    for (const line of lines) {
      if (line.startsWith("data:")) this.#data.push(line.slice(line.charAt(5) === " " ? 6 : 5));
      else if (line === "" && this.#data.length > 0) {
        found.push(this.#data.join("\n"));
        this.#data = [];
      }
    }
    return found;
  }
}
const lineEnd = /\r\n|\n|\r/;
