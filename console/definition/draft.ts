import type { Definition } from "../api/api.ts";

/** A draft on its way from the page of a scraper to the recorder. */
let handedOver: { scraper: string; draft: Definition } | undefined;

/** Keeps a draft, with changes that are not saved, for the recorder of this scraper. */
export function handOver(scraper: string, draft: Definition): void {
  handedOver = { scraper, draft };
}

/** The draft that was handed over for a scraper, once; undefined if there is none. */
export function takeDraft(scraper: string): Definition | undefined {
  const taken = handedOver?.scraper === scraper ? handedOver.draft : undefined;
  handedOver = undefined;
  return taken;
}
