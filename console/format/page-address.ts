import { readAddress } from "../../functions/inspections/typed-address.ts";

/**
 * The URL that a user typed, completed if necessary; undefined if the text is none. A single word such as "books" is
 * not taken as a host.
 */
export function pageAddress(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || !address.isGuessed) return address?.url;
  const { hostname } = new URL(address.url);
  return /[.:]/.test(hostname) || hostname === "localhost" ? address.url : undefined;
}
