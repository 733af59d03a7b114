/** What identifies a page of a list. */
export interface SeenPage {
  /** Absent where its address does not lead there. */
  url: string | undefined;
  /** A digest of what its rows hold. */
  digest: string;
}

/**
 * The pages of a list so far. The list goes round when one of them comes again: the same page, or an equal one at
 * another address whose control leads to a page that was seen; the first page mostly has two addresses.
 */
export function createPagesSeen() {
  /** The addresses of pages, by the digest of their rows. */
  const pages = new Map<string, Set<string | undefined>>();
  const addresses = new Set<string | undefined>();
  return {
    /** Notes a page. Returns false where it was seen before. `target` tells where its control leads. */
    async add({ url, digest }: SeenPage, target: () => Promise<string | null>): Promise<boolean> {
      const alike = pages.get(digest);
      if (alike) {
        if (url === undefined || alike.has(url)) return false;
        const next = await target();
        if (next !== null && addresses.has(next)) return false;
      }
      pages.set(digest, (alike ?? new Set()).add(url));
      addresses.add(url);
      return true;
    },
  };
}
