export { visibleLines, visibleName, visibleText } from "../../shared/visible-text.ts";
