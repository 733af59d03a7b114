import { isHttpUrl } from "../contract/http-url.ts";
import { isLoopback } from "../egress/is-loopback.ts";

/** The address of a page as people type it. */
export interface TypedAddress {
  url: string;
  /** Whether the scheme is a guess. */
  isGuessed: boolean;
}

/** Reads an address with or without a scheme. Undefined: it is not the address of a web page. */
export function readAddress(text: string): TypedAddress | undefined {
  const typed = text.trim();
  const isGuessed = !/^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const url = isGuessed ? withScheme(typed) : typed;
  return isHttpUrl(url) ? { url, isGuessed } : undefined;
}

/** Sites have https; what runs on this machine rarely does. */
function withScheme(typed: string): string {
  const host = URL.parse(`http://${typed}`)?.hostname ?? "";
  return `${isLoopback(host) ? "http" : "https"}://${typed}`;
}
