import type { Cookie } from "./cookies.ts";

/** Headers that belong to a single request, to its connection, or to the browser's cache. */
const OWN =
  /^(:.*|host|connection|proxy-.*|keep-alive|te|upgrade|transfer-encoding|content-.*|origin|cookie|if-.*|range|cache-control|pragma|purpose|sec-purpose)$/i;

/**
 * The headers with which the browser would request a page.
 * @param navigation those of its latest request for a document
 * @param cookies those that it has for the page
 * @param referer the page of the same site whose link it follows; undefined: it follows none
 */
export function requestHeaders(
  navigation: Record<string, string>,
  cookies: readonly Cookie[],
  referer: string | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const site = referer === undefined ? "none" : "same-origin";
  for (const [name, value] of Object.entries(navigation)) {
    if (OWN.test(name) || /^referer$/i.test(name)) continue;
    headers[name] = /^sec-fetch-site$/i.test(name) ? site : value;
  }
  if (referer !== undefined) headers.Referer = referer.replace(/#.*/s, "");
  if (cookies.length > 0) headers.Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  return headers;
}
