export interface PageProps {
  /** The `{id}` of the path; "" if the page has none, and the whole path for the not-found page. */
  id: string;
  /** The `{tab}` of the path; "" if it has none. */
  tab: string;
}
