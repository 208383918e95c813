import type { MarketItem, MarketKind } from "../../shared/market.ts";

export const kindFilters = ["all", "skill", "plugin", "mcp"] as const;
export type KindFilter = (typeof kindFilters)[number];
/** Marks that can be asked for beside the kind. */
export const markFilters = ["runs_here", "verified", "installed"] as const;
export type MarkFilter = (typeof markFilters)[number];
export interface MarketFilter {
  readonly kind: KindFilter;
  readonly marks: ReadonlySet<MarkFilter>;
}

/** Everything that the item needs is on this computer. */
export const runsHere = ({ requirements }: Pick<MarketItem, "requirements">): boolean =>
  requirements.every(({ ok }) => ok);

const isOf: Readonly<Record<MarkFilter, (item: MarketItem) => boolean>> = {
  runs_here: runsHere,
  verified: ({ trust }) => trust === "verified",
  installed: ({ installed }) => installed,
};
const isKind = (item: MarketItem, kind: KindFilter): boolean => kind === "all" || item.kind === kind;
const hasMarks = (item: MarketItem, marks: Iterable<MarkFilter>): boolean =>
  [...marks].every((mark) => isOf[mark](item));

export const filterItems = (items: readonly MarketItem[], { kind, marks }: MarketFilter): MarketItem[] =>
  items.filter((item) => isKind(item, kind) && hasMarks(item, marks));

/** What each kind would show with the marks as they are. */
export function kindCounts(
  items: readonly MarketItem[],
  marks: ReadonlySet<MarkFilter>,
): Readonly<Record<KindFilter, number>> {
  const marked = items.filter((item) => hasMarks(item, marks));
  const of = (kind: MarketKind): number => marked.filter((item) => item.kind === kind).length;
  return { all: marked.length, skill: of("skill"), plugin: of("plugin"), mcp: of("mcp") };
}

/** What would be left if this mark were asked for too. */
export const markCount = (items: readonly MarketItem[], filter: MarketFilter, mark: MarkFilter): number =>
  filterItems(items, { ...filter, marks: new Set([...filter.marks, mark]) }).length;
