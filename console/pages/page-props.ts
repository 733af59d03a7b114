export interface PageProps {
  /** The `{id}` of the address; empty if it has none. */
  id: string;
  /** The `{tab}` of the address, likewise. */
  tab: string;
}
