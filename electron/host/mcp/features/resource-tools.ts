import { NacreError } from "../../../../shared/errors.ts";
import { cutEnd, visibleName } from "../../../../shared/visible-text.ts";
import type { Tool, ToolOutput } from "../../tools/types.ts";
import type { McpServer } from "../server.ts";
import { readResource } from "./attach.ts";
import type { Offers } from "./offers.ts";
import { bytesOf, dataText, withoutMarks } from "./resource-text.ts";

/** Characters of one answer of `read_mcp_resource`. */
const mostRead = 50_000;
/** Lines of one answer of `list_mcp_resources`. */
const mostListed = 200;
/** Bytes of an image that is shown. */
const largestImage = 10 * 1024 * 1024;

export interface ResourceToolPorts {
  /** Ready servers with resources, in the order of the configuration. */
  servers(): readonly McpServer[];
  readonly offers: Pick<Offers, "of">;
}
const text = (output: string): ToolOutput => ({ output, isError: false, sandboxed: null, outside: true });
const said = (input: Readonly<Record<string, unknown>>, name: string): string => {
  const value = input[name];
  return typeof value === "string" ? value : "";
};

/** How a model reads the resources of servers: offered while any ready server has some. */
export function resourceTools(ports: ResourceToolPorts): readonly Tool[] {
  const serverOf = (name: string): McpServer => {
    const found = ports.servers().find((server) => server.name === name);
    if (found) return found;
    const names = ports.servers().map((server) => JSON.stringify(server.name));
    throw new NacreError(
      "not_found",
      `no MCP server ${JSON.stringify(visibleName(name))} has resources; those that have: ${names.join(", ") || "none"}`,
    );
  };
  const origin = { kind: "builtin", owner: "nacre" } as const;
  const list: Tool = {
    name: "list_mcp_resources",
    title: "list_mcp_resources",
    description:
      "Lists the resources (files, records, pages) that connected MCP servers offer, and the templates of addresses they take. read_mcp_resource reads one.",
    // What servers have told is looked at: none of them is asked.
    perm: "read",
    origin,
    inputSchema: {
      type: "object",
      properties: {
        server: { type: "string", description: "One server alone" },
        find: { type: "string", description: "Only entries with this text in address, name or description" },
      },
    },
    run: (input) => {
      const [name, find] = [said(input, "server"), said(input, "find").toLowerCase()];
      const servers = name === "" ? ports.servers() : [serverOf(name)];
      const lines = servers.flatMap((server) => {
        const { resources, templates } = ports.offers.of(server);
        const rows = [
          ...resources.map(({ uri, ...rest }) => ({ address: uri, kind: "", ...rest })),
          ...templates.map(({ uriTemplate, ...rest }) => ({
            address: uriTemplate,
            kind: " (template)",
            ...rest,
          })),
        ].map(
          ({ address, kind, name: label, description, mimeType }) =>
            `${server.name} · ${address}${kind} · ${[label, mimeType, description].filter(Boolean).join(" · ")}`,
        );
        return rows.filter((row) => row.toLowerCase().includes(find));
      });
      const shown = lines.slice(0, mostListed).map((line) => withoutMarks(visibleName(line, 600)));
      const left = lines.length - shown.length;
      const more = left > 0 ? [`(${left} more; use "find" or "server")`] : [];
      return Promise.resolve(text([...shown, ...more].join("\n") || "There are no such resources."));
    },
  };
  const read: Tool = {
    name: "read_mcp_resource",
    title: "read_mcp_resource",
    description:
      "Reads one resource of a connected MCP server by its address, as list_mcp_resources or a tool's result names it.",
    perm: "net",
    origin,
    inputSchema: {
      type: "object",
      properties: {
        server: { type: "string", description: "The server's name" },
        uri: { type: "string", description: "The address of the resource" },
        offset: { type: "integer", minimum: 0, description: "Character of its text to begin at (0)" },
      },
      required: ["server", "uri"],
    },
    touches: (input) => ({
      names: [said(input, "server"), `${said(input, "server")}:${said(input, "uri")}`],
    }),
    async run(input, { signal }) {
      const contents = await readResource(serverOf(said(input, "server")), said(input, "uri"), signal);
      const offset = typeof input["offset"] === "number" ? input["offset"] : 0;
      const whole = contents
        .map(({ text: words, blob, mimeType, uri }) => {
          const head = contents.length > 1 ? `[${visibleName(uri, 400)}]\n` : "";
          return head + (blob === undefined ? (words ?? "") : dataText(mimeType, blob));
        })
        .join("\n");
      const { kept, left } = cutEnd(whole.slice(offset), mostRead);
      const images = contents.flatMap(({ mimeType, blob }) =>
        blob !== undefined && mimeType?.startsWith("image/") && bytesOf(blob) <= largestImage
          ? [{ mediaType: mimeType, base64: blob }]
          : [],
      );
      const rest =
        left === 0
          ? ""
          : `\n[${left} of ${whole.length} characters are left; read on with offset ${offset + kept.length}]`;
      const output = withoutMarks(kept) + rest;
      return { ...text(output), ...(images.length === 0 ? {} : { images }) };
    },
  };
  return [list, read];
}
