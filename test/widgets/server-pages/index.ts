import type { IncomingHttpHeaders } from "node:http";
import { carouselPages } from "./carousels.ts";
import { fieldPages } from "./fields.ts";
import type { Render } from "./html.ts";
import { navigationPages } from "./navigation.ts";
import { overlayPages } from "./overlays.ts";
import { tablePages } from "./tables.ts";

const pages: Record<string, Render> = {
  ...tablePages,
  ...navigationPages,
  ...fieldPages,
  ...overlayPages,
  ...carouselPages,
};

/** The HTML of the page with this name; undefined if there is none. */
export const renderPage = (name: string, url: URL, headers: IncomingHttpHeaders): string | undefined =>
  pages[name]?.(url, headers);
