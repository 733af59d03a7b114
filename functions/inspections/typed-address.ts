import { isHttpUrl } from "../contract/http-url.ts";
import { isLoopback } from "../egress/policy/is-loopback.ts";

/** An address that a person has typed. */
export interface TypedAddress {
  url: string;
  /** Whether the scheme was not typed, but added. */
  isGuessed: boolean;
}

/** Parses an address with or without a scheme; undefined if it is not the address of a web page. */
export function readAddress(text: string): TypedAddress | undefined {
  const typed = text.trim();
  const isGuessed = !/^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = isGuessed ? withScheme(typed) : typed;
  return isHttpUrl(url) ? { url, isGuessed } : undefined;
}

/** Adds https, or http for a loopback address, because local servers rarely have a certificate. */
function withScheme(typed: string): string {
  const host = URL.parse(`http://${typed}`)?.hostname ?? "";
  return `${isLoopback(host) ? "http" : "https"}://${typed}`;
}
