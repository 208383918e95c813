import { computed, ref, watch } from "vue";

/** So many rows are drawn at once: a thousand would hold the page. */
const page = 40;

/** A long list, searched by text and drawn a page at a time. `textOf`: what a row is found by. */
export function usePaged<T>(rows: () => readonly T[], textOf: (row: T) => string) {
  const text = ref("");
  const drawn = ref(page);
  const index = computed(() => rows().map((row) => ({ row, text: textOf(row).toLowerCase() })));
  const found = computed(() => {
    const word = text.value.trim().toLowerCase();
    return index.value.filter((one) => one.text.includes(word)).map(({ row }) => row);
  });
  watch(text, () => void (drawn.value = page));
  return {
    text,
    found,
    shown: computed(() => found.value.slice(0, drawn.value)),
    /** How many are found and not drawn. */
    left: computed(() => Math.max(0, found.value.length - drawn.value)),
    /** How many more the next page has. */
    next: computed(() => Math.min(page, Math.max(0, found.value.length - drawn.value))),
    more: (): void => void (drawn.value += page),
    /** Fewer are seen at a glance. */
    isLong: computed(() => rows().length > 12),
  };
}
