import type { PageState } from "./protocol.ts";
import { isStatic } from "./static.ts";
import { takeLearnedSheets } from "./text/sheet-memory.ts";

/** Tells this document from others. */
const id = Math.random();

export const pageState = (): PageState => ({
  document: id,
  learned: takeLearnedSheets(),
  isStatic: isStatic(),
  isLoading: document.readyState === "loading",
});
