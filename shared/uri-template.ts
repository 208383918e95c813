/** How one expression of a template is written out: RFC 6570, 3.2.1 and appendix A. */
interface Operator {
  readonly first: string;
  readonly between: string;
  readonly named: boolean;
  readonly keepsReserved: boolean;
}
const plain: Operator = { first: "", between: ",", named: false, keepsReserved: false };
const operators: Readonly<Record<string, Operator>> = {
  "+": { ...plain, keepsReserved: true },
  "#": { ...plain, first: "#", keepsReserved: true },
  ".": { ...plain, first: ".", between: "." },
  "/": { ...plain, first: "/", between: "/" },
  ";": { first: ";", between: ";", named: true, keepsReserved: false },
  "?": { first: "?", between: "&", named: true, keepsReserved: false },
  "&": { first: "&", between: "&", named: true, keepsReserved: false },
};
const expression = /\{([+#./;?&])?([^{}]+)\}/g;

/** What a value is written as: a blank or a mark never ends the address. */
const written = (value: string, keepsReserved: boolean): string => {
  const all = encodeURIComponent(value).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return keepsReserved ? encodeURI(value).replaceAll(/%25([0-9A-Fa-f]{2})/g, "%$1") : all;
};
const nameOf = (word: string): string => word.replace(/(?::\d+|\*)$/, "");

/**
 * The address that a template gives for these values (RFC 6570; each value is one text). A variable without a value leaves
 * no trace.
 */
export const expandTemplate = (template: string, values: Readonly<Record<string, unknown>>): string =>
  template.replace(expression, (_whole, sign: string | undefined, list: string) => {
    const { first, between, named, keepsReserved } = operators[sign ?? ""] ?? plain;
    const parts = list.split(",").flatMap((word) => {
      const name = nameOf(word.trim());
      const value = values[name];
      if (typeof value !== "string" || value === "") return [];
      const most = /:(\d+)$/.exec(word)?.[1];
      const text = written(most === undefined ? value : value.slice(0, Number(most)), keepsReserved);
      return [named ? `${name}=${text}` : text];
    });
    return parts.length === 0 ? "" : first + parts.join(between);
  });

/** The variables that the address is no address without: all but those of a query and of a fragment. */
export function neededVariables(template: string): readonly string[] {
  const found = [...template.matchAll(expression)]
    .filter(([, sign = ""]) => !["?", "&", "#", ";"].includes(sign))
    .flatMap(([, , list = ""]) => list.split(",").map((word) => nameOf(word.trim())));
  return [...new Set(found)];
}
