/** Past so many changed lines the search for the shortest difference would hold the page. */
const mostChanges = 1_000;

/** The difference of two texts as a unified diff, or undefined where they have too little in common. */
export async function unifiedDiff(name: string, before: string, after: string): Promise<string | undefined> {
  const { createTwoFilesPatch } = await import("diff");
  return createTwoFilesPatch(name, name, before, after, undefined, undefined, {
    context: 3,
    maxEditLength: mostChanges,
  });
}
