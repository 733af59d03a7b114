import type { Readable } from "node:stream";
import type { RunFailure } from "../../runs/failure.ts";
import { cookiesToSet } from "../http/cookies.ts";
import type { HttpClient, HttpStream } from "../http/http-client.ts";
import { DOCUMENTS } from "../limits.ts";
import { checkDocument, unreachable } from "../page/document.ts";
import type { Session } from "../session.ts";

const NOTHING = Buffer.alloc(0);

/** A file that is arriving. */
export interface FileAnswer {
  /** The address after all redirects. */
  url: string;
  headers: Record<string, string>;
  /** Decompressed. Has to be read or destroyed. */
  body: Readable;
}

/**
 * Requests a file as an image or a link of a page would be, with the redirects of its address. Each request waits for its
 * host's turn, and gets the cookies and the access of its own host only.
 * @param referrer the page that names it
 * @throws RunFailure
 */
export async function requestFile(
  session: Session,
  client: HttpClient,
  { url: address, referrer, signal }: { url: string; referrer: string; signal: AbortSignal },
): Promise<FileAnswer> {
  let url = address;
  for (let redirects = 0; redirects <= DOCUMENTS.chain; redirects += 1) {
    const answer = await askPolitely(session, client, { url, referrer, signal });
    const { status, headers, body } = answer;
    const location = status >= 300 && status < 400 ? headers.location : undefined;
    if (location === undefined) return { url, headers, body };
    body.destroy();
    const next = URL.parse(location, url);
    if (next === null || !/^https?:$/.test(next.protocol))
      throw notReached(session, url, "it redirects to an invalid web address");
    url = next.href;
  }
  throw notReached(session, address, "it redirects endlessly");
}

interface Asked {
  url: string;
  referrer: string;
  signal: AbortSignal;
}

/** @throws RunFailure where there is no answer, or an error */
async function askPolitely(session: Session, client: HttpClient, asked: Asked): Promise<HttpStream> {
  const { url } = asked;
  const { politeness, egress } = session;
  let answer: HttpStream | undefined;
  try {
    answer = await politeness.load(url, "site", () => askWithAccess(session, client, asked));
    await politeness.arrived(url, "site");
    checkAnswer(session, url, answer);
    return answer;
  } catch (error) {
    answer?.body.destroy();
    // A host that must not be reached has no robots.txt either.
    if (egress.wasRefused(url)) checkAnswer(session, url, { error: "refused" });
    throw error;
  }
}

/** @throws RunFailure for an error, or where nothing answered */
function checkAnswer(
  { egress }: Session,
  url: string,
  answer: Pick<HttpStream, "status" | "statusText" | "headers"> | { error: string },
): void {
  const none = { status: 0, statusText: "", headers: {}, error: undefined };
  checkDocument({ ...none, ...answer, url, method: "GET", type: "" }, { egress, acceptStatus: [] });
}

/** Asks again with the credentials of the scraper's own hosts, if the server wants some. */
async function askWithAccess(session: Session, client: HttpClient, asked: Asked): Promise<HttpStream> {
  const answer = await ask(session, client, asked);
  const isAsked = answer.status === 401 && /^basic\b/i.test(answer.headers["www-authenticate"] ?? "");
  const credentials = isAsked ? session.requests.access?.credentialsFor?.(asked.url) : undefined;
  if (credentials === undefined) return answer;
  answer.body.destroy();
  const { username, password } = credentials;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
  return ask(session, client, asked, { authorization });
}

async function ask(
  session: Session,
  client: HttpClient,
  { url, referrer, signal }: Asked,
  more: Record<string, string> = {},
): Promise<HttpStream> {
  const cookies = await session.cookiesFor(url);
  const referer = refererFor(referrer, url);
  const headers = {
    "user-agent": session.userAgent,
    accept: "*/*",
    "accept-language": "en-US,en;q=0.9",
    "accept-encoding": "gzip, deflate, br",
    ...(referer && { referer }),
    ...(cookies.length > 0 && { cookie: cookies.map(({ name, value }) => `${name}=${value}`).join("; ") }),
    ...session.requests.access?.headersFor(url),
    ...more,
  };
  const sent = url.replace(/#.*/s, "");
  const refused = await session.requests.judge({ url: sent, headers: Object.values(headers), body: NOTHING });
  if (refused) throw refused;
  try {
    const answer = await client.open(sent, headers, signal);
    // What only a browser can judge is no cookie that files need.
    const set = async () => session.setCookies(cookiesToSet(answer.cookies, url));
    if (answer.cookies.length > 0) await set().catch(() => {});
    return answer;
  } catch (error) {
    if (!signal.aborted) checkAnswer(session, url, { error: (error as Error).message });
    throw notReached(session, url, "the server did not answer in time");
  }
}

/** What browsers tell a server about the page that names the address, by default. */
function refererFor(page: string, url: string): string | undefined {
  const [from, to] = [URL.parse(page), new URL(url)];
  if (from === null || !/^https?:$/.test(from.protocol)) return undefined;
  if (from.protocol === "https:" && to.protocol === "http:") return undefined;
  return from.origin === to.origin ? `${from.origin}${from.pathname}${from.search}` : `${from.origin}/`;
}

const notReached = ({ egress }: Session, url: string, reason: string): RunFailure =>
  unreachable(url, reason, { via: egress.via, transient: false });
