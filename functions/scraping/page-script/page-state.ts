import type { PageState } from "./protocol.ts";
import { isStatic } from "./static.ts";

/** Tells this document from others. */
const id = Math.random();

export const pageState = (): PageState => ({
  document: id,
  isStatic: isStatic(),
  isLoading: document.readyState === "loading",
});
