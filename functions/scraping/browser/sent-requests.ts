import type { Browser, CDPSession } from "playwright-core";
import { targetName } from "../../egress/policy/address-policy.ts";
import type { RunFailure } from "../../runs/failure.ts";
import type { SentRequest } from "../job.ts";
import { BROWSER_MS } from "../timing.ts";
import type { OwnAccess } from "./site-access.ts";

/** Requests whose response no page can see: without them, it shows the same. */
const UNANSWERED = new Set(["Ping", "Image", "CSPViolationReport"]);

/** What an answer of a request that asks for credentials says. */
const NO_CREDENTIALS = { response: "CancelAuth" } as const;

export interface RequestCheck {
  /** Why a request must not be sent; undefined: it may be. */
  judge: (request: SentRequest) => Promise<RunFailure | undefined>;
  /** Called for a refused request that the page may depend on. */
  onRefused: (failure: RunFailure) => void;
  /** What the requests to some hosts carry. */
  access: Pick<OwnAccess, "headersFor" | "credentialsFor"> | undefined;
}

/**
 * Shows every HTTP request of a browser to `judge` before it is sent: of pages, frames, workers and new windows, and each
 * redirect. Not WebSockets, which the browser does not stop for this: the egress proxy closes them.
 * @returns what ends it
 */
export async function checkRequests(
  browser: Browser,
  { judge, onRefused, access }: RequestCheck,
): Promise<() => Promise<void>> {
  // Not of one page: its requests would have been sent before a new window's session exists.
  const cdp = await browser.newBrowserCDPSession();
  type Send = CDPSession["send"];
  const answer: Send = async (method, params) => {
    try {
      return await cdp.send(method, params);
    } catch {
      // The page went away, and its request with it.
      return undefined as never;
    }
  };
  cdp.on("Fetch.requestPaused", async ({ requestId, request, resourceType }) => {
    const { url, headers, hasPostData = false, postDataEntries = [] } = request;
    const parts = postDataEntries.map(({ bytes }) =>
      bytes === undefined ? undefined : Buffer.from(bytes, "base64"),
    );
    const isReadable = !hasPostData || (parts.length > 0 && !parts.includes(undefined));
    const body = isReadable ? Buffer.concat(parts as Buffer[]) : undefined;
    const failure = await judge({ url, headers: Object.values(headers), body });
    if (failure === undefined) {
      void answer("Fetch.continueRequest", { requestId, ...withHeaders(headers, access?.headersFor(url)) });
      return;
    }
    void answer("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    if (!UNANSWERED.has(resourceType)) onRefused(failure);
  });
  const handleAuthRequests = access?.credentialsFor !== undefined;
  const answered = new Set<string>();
  cdp.on("Fetch.authRequired", ({ requestId, request, authChallenge }) => {
    // Where credentials are asked for again, they were wrong.
    const isNew = authChallenge.source !== "Proxy" && !answered.has(requestId);
    const credentials = isNew ? access?.credentialsFor?.(request.url) : undefined;
    answered.add(requestId);
    const authChallengeResponse = credentials
      ? { response: "ProvideCredentials" as const, ...credentials }
      : NO_CREDENTIALS;
    void answer("Fetch.continueWithAuth", { requestId, authChallengeResponse });
  });
  await cdp.send("Fetch.enable", { patterns: [{ urlPattern: "*" }], handleAuthRequests });
  return () => cdp.detach().catch(() => {});
}

/** All headers of a request, with others in addition or instead; nothing where there are none. A redirect does not repeat them. */
function withHeaders(sent: Record<string, string>, own: Record<string, string> = {}) {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  if (names.size === 0) return {};
  const kept = Object.entries(sent).filter(([name]) => !names.has(name.toLowerCase()));
  return { headers: [...kept, ...Object.entries(own)].map(([name, value]) => ({ name, value })) };
}

/** The hosts of requests that were checked before they were sent, as `host:port`. */
export class NamedHosts {
  readonly #named = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();

  add(address: string): void {
    const url = URL.parse(address);
    if (url === null) return;
    const host = targetName(url);
    this.#named.add(host);
    for (const resolve of this.#waiting.get(host) ?? []) resolve();
    this.#waiting.delete(host);
  }

  /** Resolves to true when a request names the host, and to false if none does so in time. */
  async wait(host: string): Promise<boolean> {
    if (this.#named.has(host)) return true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = this.#waiting.get(host) ?? new Set();
    this.#waiting.set(host, waiting.add(resolve));
    const timer = setTimeout(resolve, BROWSER_MS.named).unref();
    await promise;
    clearTimeout(timer);
    waiting.delete(resolve);
    return this.#named.has(host);
  }
}
