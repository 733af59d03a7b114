import { readAddress } from "../../functions/inspections/typed-address.ts";

/** The address of a page as people type it; undefined if it is none. A word alone is more likely a search than a host. */
export function pageAddress(text: string): string | undefined {
  const address = readAddress(text);
  if (address === undefined || !address.isGuessed) return address?.url;
  const { hostname } = new URL(address.url);
  return /[.:]/.test(hostname) || hostname === "localhost" ? address.url : undefined;
}
