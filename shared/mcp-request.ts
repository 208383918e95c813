import type { JsonObject } from "./json.ts";

/** What an MCP server wants of the person while it works (spec 6, Client features). */
export type McpRequest =
  | {
      readonly kind: "form";
      readonly server: string;
      readonly message: string;
      /** A flat object schema; its defaults are what an answer falls back to. */
      readonly schema: JsonObject;
    }
  | { readonly kind: "url"; readonly server: string; readonly message: string; readonly url: string }
  | {
      /** The server wants an answer of the model; this is all that the model would be sent. */
      readonly kind: "sampling";
      readonly server: string;
      readonly system: string;
      readonly messages: readonly { readonly role: "user" | "assistant"; readonly text: string }[];
      readonly maxTokens: number;
      /** `PROVIDER/MODEL` that would answer. */
      readonly model: string;
    }
  /** The page on which the person signs in to a remote server. */
  | { readonly kind: "sign_in"; readonly server: string; readonly url: string };

/** One that waits for the person: the slice `mcpRequests` of the topic `workspace`. */
export type McpRequestView = McpRequest & { readonly id: string };
export type McpRequestAnswer =
  | { readonly action: "accept"; readonly content?: JsonObject }
  | { readonly action: "decline" | "cancel" };
/** Puts a request to a person. `signal` ends it: the server or the caller does not wait any longer. */
export type AskPerson = (request: McpRequest, signal: AbortSignal) => Promise<McpRequestAnswer>;
