import * as v from "valibot";
import type { ProxySettings } from "../../contract/scrapers/scraper.ts";
import { validate } from "../../contract/validate.ts";
import { RunFailure } from "../../runs/failure.ts";
import { parseProxyUrl, type Upstream } from "./upstream-route.ts";

const PROXY_URL =
  "must be http://host:port or https://host:port, with user:password@ before the host where the proxy wants them";

/** All messages are custom, because valibot's own messages quote the input, which may contain a password. */
const ListedProxy = v.strictObject(
  {
    type: v.picklist(["datacenter", "residential", "custom"], "must be datacenter, residential or custom"),
    country: v.optional(
      v.pipe(
        v.string("must be a country's English name"),
        v.trim(),
        v.minLength(1, "must not be empty"),
        v.maxLength(100, "must be at most 100 characters long"),
      ),
    ),
    url: v.pipe(
      v.string(PROXY_URL),
      v.check((url) => parseProxyUrl(url) !== undefined, PROXY_URL),
    ),
  },
  "must be an object with type, url and, where it is one country's, country",
);

/** The operator's proxies, in order of preference. */
const ProxyList = v.array(ListedProxy, "must be a list of proxies");
export type ProxyList = v.InferOutput<typeof ProxyList>;

/**
 * Parses the operator's list of proxies from JSON. No message quotes the list.
 * @throws ValidationError with every problem
 */
export function parseProxyList(text: string): ProxyList {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    // Without the cause, because the parser's message quotes the input.
    return validate(v.never("must be JSON"), text);
  }
  return validate(ProxyList, list);
}

/**
 * The first proxy of a type and country. A proxy of that country comes before one without a country, which serves any. For
 * settings without a country, any proxy of the type is used.
 * @throws RunFailure `proxy_failed` if there is none: a run without it would reveal the operator's own address
 */
export function findProxy(proxies: ProxyList, { type, country }: ProxySettings): Upstream {
  const name = country === undefined ? `${type} proxy` : `${type} proxy for ${country}`;
  const ofType = proxies.filter((proxy) => proxy.type === type);
  const found =
    ofType.find((proxy) => fold(proxy.country) === fold(country)) ??
    ofType.find((proxy) => proxy.country === undefined || country === undefined);
  if (found) return { url: found.url, name: `the ${name}` };
  throw new RunFailure(
    "proxy_failed",
    `No ${name} is set up. Change the scraper's proxy, or ask the operator of the service to add one.`,
    { transient: false },
  );
}

const fold = (country: string | undefined) => country?.trim().toLowerCase();
