/** What runs on this machine rarely has https. */
const LOCAL = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|[^/]+\.localhost)$/i;

/** The address of a page as people type it, with or without a scheme; undefined if it is none. */
export function readAddress(text: string): string | undefined {
  const typed = text.trim();
  if (typed === "" || /\s/.test(typed)) return undefined;
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed);
  const host = URL.parse(`http://${typed}`)?.hostname ?? "";
  const address = hasScheme ? typed : `${LOCAL.test(host) ? "http" : "https"}://${typed}`;
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "") {
    return undefined;
  }
  return address;
}

/** A word alone is more likely a search than the name of a host. */
export const isLikelyHost = (address: string): boolean => {
  const host = URL.parse(address)?.hostname ?? "";
  return host.includes(".") || host.includes(":") || host === "localhost";
};
