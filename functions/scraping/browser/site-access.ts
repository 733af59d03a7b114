import type { SiteAccess } from "../../contract/scrapers/site-access.ts";
import { RunFailure } from "../../runs/failure.ts";
import { belongsTo, hostOf } from "../../secrets/hosts.ts";
import type { ScrapeJob, SecretResolver } from "../job.ts";

/** What a scraper's own hosts get from it. */
export interface OwnAccess {
  /** Headers for a request. */
  headersFor(url: string): Record<string, string>;
  /** For a host that asks for them; undefined: it gets none. */
  credentialsFor: ((url: string) => { username: string; password: string } | undefined) | undefined;
  /** To be set before the first page is opened. */
  cookies: { name: string; value: string; url: string; httpOnly: boolean }[];
}

/** The addresses that a scraper itself opens. */
const addressesOf = ({ steps, pagination }: Pick<ScrapeJob, "steps" | "pagination">): string[] =>
  [...steps, pagination].flatMap((one) =>
    (one.type === "visit" || one.type === "url_template") && hostOf(one.url) !== "" ? [one.url] : [],
  );

/** Characters that a header can have. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * What a scraper sends to its own hosts, and to no others; undefined if there is nothing. Secrets go only to those of these
 * hosts that they may go to.
 * @throws RunFailure `secret_unavailable` if a secret may go to none of them, or can't be sent
 */
export function ownAccess(
  job: Pick<ScrapeJob, "steps" | "pagination" | "access">,
  secrets: Pick<SecretResolver, "text">,
): OwnAccess | undefined {
  const { headers: all = {}, cookies: stated = [], http_credentials: credentials } = job.access ?? {};
  // People copy a Cookie header from their browser.
  const [headers, written] = [new Map<string, string>(), [...stated]];
  for (const [name, value] of Object.entries(all))
    if (name.toLowerCase() === "cookie") written.push(...cookiesIn(value));
    else headers.set(name, value);
  if (headers.size + written.length === 0 && !credentials) return undefined;
  const addresses = addressesOf(job);
  const hosts = addresses.map(hostOf);
  const fill = (template: string, url: string): string | undefined => {
    if (!belongsTo(hosts, url)) return undefined;
    const text = textFor(template, url, secrets);
    if (text !== undefined && !SENDABLE.test(text)) throw unsendable();
    return text;
  };
  const used = [...headers.values(), ...written.map(({ value }) => value)];
  for (const template of [...used, ...(credentials ? [credentials.password, credentials.username] : [])])
    assertUsable(template, addresses, { fill, secrets });
  const origins = [...new Set(addresses.map((url) => new URL(url).origin))];
  return {
    headersFor: (url) =>
      Object.fromEntries(
        [...headers].flatMap(([name, template]) => {
          const value = fill(template, url);
          return value === undefined ? [] : [[name, value]];
        }),
      ),
    credentialsFor:
      credentials &&
      ((url) => {
        const [username, password] = [fill(credentials.username, url), fill(credentials.password, url)];
        return username === undefined || password === undefined ? undefined : { username, password };
      }),
    cookies: origins.flatMap((origin) =>
      written.flatMap(({ name, value: template }) => {
        const value = fill(template, `${origin}/`);
        // The site's scripts don't need one with a secret.
        const httpOnly = value !== template;
        return value === undefined ? [] : [{ name, value, url: `${origin}/`, httpOnly }];
      }),
    ),
  };
}

const cookiesIn = (header: string): NonNullable<SiteAccess["cookies"]> =>
  header.split(";").flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    return name.trim() === "" ? [] : [{ name: name.trim(), value: value.join("=").trim() }];
  });

/** The text for an address; undefined where a secret may not go there: it may go to some of the hosts only. */
function textFor(template: string, url: string, secrets: Pick<SecretResolver, "text">): string | undefined {
  try {
    return secrets.text(template, url);
  } catch (error) {
    if (error instanceof RunFailure) return undefined;
    throw error;
  }
}

const unsendable = () =>
  new RunFailure(
    "secret_unavailable",
    "A secret has characters that no header, cookie or HTTP credential can have, such as a line break. Ask the operator of the service to set it again.",
  );

interface Filling {
  fill: (template: string, url: string) => string | undefined;
  secrets: Pick<SecretResolver, "text">;
}

/** @throws RunFailure of the first address, if the text goes to none of them */
function assertUsable(template: string, addresses: readonly string[], { fill, secrets }: Filling): void {
  const [first] = addresses;
  if (first === undefined || addresses.some((url) => fill(template, url) !== undefined)) return;
  secrets.text(template, first);
}
