/** A request to a service that shows messages to people: JSON to an address. */
export interface Posting {
  url: string;
  body: object;
}
