import { visibleName } from "../../shared/visible-text.ts";
import type { Host } from "../host/host.ts";

const mostNamed = 10;
/** A line for each server of which tools are held back, as their definitions changed. */
export const heldBackLines = ({ mcp }: Pick<Host, "mcp">): string[] =>
  mcp.rows().flatMap(({ name, changedTools }) => {
    if (changedTools === undefined) return [];
    const names = mcp
      .details(name)
      .tools.filter(({ state }) => state === "changed")
      .slice(0, mostNamed)
      .map((tool) => visibleName(tool.name));
    const more = changedTools > names.length ? ` and ${changedTools - names.length} more` : "";
    return [
      `${name}: held back, as their definitions changed: ${names.join(", ")}${more}; look at them with nacre mcp approve ${name}`,
    ];
  });
