/** What identifies a page of a list. */
export interface SeenPage {
  /** Absent where its address does not lead there. */
  url: string | undefined;
  /** A digest of what its rows hold. */
  digest: string;
}

/** So many equal pages in a row may be pages of their own. A site that gives its last page for all later ones gives more. */
const IN_A_ROW_MAX = 3;

/**
 * The pages of a list so far. The list goes round when one of them comes again: the same page, or an equal one at
 * another address whose control leads to a page that was seen; the first page mostly has two addresses.
 */
export function createPagesSeen() {
  /** The addresses of pages, by the digest of their rows. */
  const pages = new Map<string, Set<string | undefined>>();
  const addresses = new Set<string | undefined>();
  let last = "";
  let inARow = 0;
  return {
    /** Whether a page with this address, or with these rows, was noted. */
    has: ({ url, digest }: Partial<SeenPage>): boolean =>
      (url !== undefined && addresses.has(url)) || (digest !== undefined && pages.has(digest)),
    /**
     * Notes a page. `seen`: it came before. `alike`: another page had the same rows. `target` tells where its control
     * leads.
     */
    async add(
      { url, digest }: SeenPage,
      target: () => Promise<string | null>,
    ): Promise<"new" | "alike" | "seen"> {
      const alike = pages.get(digest);
      inARow = digest === last ? inARow + 1 : 1;
      last = digest;
      if (alike) {
        if (inARow > IN_A_ROW_MAX) return "seen";
        if (url === undefined || alike.has(url)) return "seen";
        const next = await target();
        if (next !== null && addresses.has(next)) return "seen";
      }
      pages.set(digest, (alike ?? new Set()).add(url));
      addresses.add(url);
      return alike ? "alike" : "new";
    },
  };
}
