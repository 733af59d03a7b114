export interface PageProps {
  /** The `{id}` of the address; empty if it has none, and the whole address if no page is there. */
  id: string;
  /** The `{tab}` of the address, likewise. */
  tab: string;
}
