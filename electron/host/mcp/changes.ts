import { Paced } from "./paced.ts";

/** Resources that are told of at once; who watches more reads them again anyway. */
const mostResources = 1000;

export interface ChangesPorts {
  /** Lists the tools again. Never rejects. */
  readonly listTools: () => Promise<void>;
  readonly onListChanged: (list: "resources" | "prompts") => void;
  readonly onResourceUpdated: (uri: string) => void;
}
/** What a server tells of changes, passed on at a bounded pace: the first at once, what comes on its heels together. */
export class Changes {
  readonly #lists: Readonly<Record<"tools" | "resources" | "prompts", Paced>>;
  readonly #updated = new Set<string>();
  readonly #updates: Paced;
  constructor({ listTools, onListChanged, onResourceUpdated }: ChangesPorts) {
    const tell = (list: "resources" | "prompts"): Paced =>
      new Paced(() => Promise.resolve(onListChanged(list)));
    this.#lists = { tools: new Paced(listTools), resources: tell("resources"), prompts: tell("prompts") };
    this.#updates = new Paced(() => {
      const uris = [...this.#updated];
      this.#updated.clear();
      for (const uri of uris) onResourceUpdated(uri);
      return Promise.resolve();
    });
  }
  list(list: "tools" | "resources" | "prompts"): void {
    this.#lists[list].request();
  }
  resource(uri: string): void {
    if (this.#updated.size < mostResources) this.#updated.add(uri);
    this.#updates.request();
  }
}
