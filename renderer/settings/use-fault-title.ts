import { useI18n } from "vue-i18n";
import type { Diagnostic } from "../../shared/diagnostic.ts";
import { useWord } from "../ui/use-word.ts";

/** What a problem is called in the window's language, by its code; where the code has no words, how bad it is. */
export function useFaultTitle(): (one: Diagnostic) => string {
  const { t } = useI18n();
  const word = useWord();
  return ({ code, severity }) => word(`faults.${code}`, t(`settings.diagnostic.${severity}`));
}
