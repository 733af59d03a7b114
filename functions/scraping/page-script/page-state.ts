/// <reference lib="dom" />

import { isPrompt } from "./promptness.ts";
import type { PageState } from "./protocol.ts";
import { isStatic, scriptsOf } from "./static.ts";

/** How much of an inline script tells it from others: what comes later may be the page's data. */
const BEGINNING = 40;

/** An address without its query, which may differ with each page. */
const nameOf = ({ src, text }: HTMLScriptElement): string =>
  src ? src.replace(/[?#].*/s, "") : text.trim().slice(0, BEGINNING).replace(/\d+/g, "0");

export const pageState = (): PageState => ({
  isStatic: isStatic(),
  isPrompt: isPrompt(),
  scripts: scriptsOf(document).map(nameOf).join("\n"),
});
