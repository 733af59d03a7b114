/** A page of a list, as far as it is needed to know it again. */
export interface SeenPage {
  /** Absent where its address does not lead there. */
  url: string | undefined;
  /** A digest of what its rows hold. */
  sign: string;
}

/**
 * The pages of a list that there were. It goes round where one of them comes again: as it was, or at another address
 * from where the control leads to a page that was there; the first page mostly has two addresses.
 */
export function createPagesSeen() {
  /** The addresses of pages, by what their rows hold. */
  const pages = new Map<string, Set<string | undefined>>();
  const addresses = new Set<string | undefined>();
  return {
    /** Notes a page; false where it was seen before. `target` is asked where its control leads, if need be. */
    async add({ url, sign }: SeenPage, target: () => Promise<string | null>): Promise<boolean> {
      const alike = pages.get(sign);
      if (alike) {
        if (url === undefined || alike.has(url)) return false;
        const next = await target();
        if (next !== null && addresses.has(next)) return false;
      }
      pages.set(sign, (alike ?? new Set()).add(url));
      addresses.add(url);
      return true;
    },
  };
}
