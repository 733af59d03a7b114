import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Egress } from "../../../../functions/egress/proxy/egress.ts";
import { startEgress } from "../../../../functions/egress/proxy/start-egress.ts";
import { RunFailure } from "../../../../functions/runs/failure.ts";
import {
  createRobots,
  fetchRobots,
  MAX_BYTES,
  readRobots,
} from "../../../../functions/scraping/politeness/robots.ts";
import { CRAWL_DELAY_MAX_MS } from "../../../../functions/scraping/timing.ts";
import { type Handler, type Site, startSite } from "../../../site/site.ts";

const origin = "https://shop.example";
const read = (text: string) => readRobots(origin, { state: "found", text });
const allowed = (text: string, path: string) => read(text).refusal(origin + path) === undefined;

describe("what a robots.txt says", () => {
  test("our own group wins over everyone's", () => {
    const text = "User-agent: *\nDisallow: /\n\nUser-agent: Gleaner\nDisallow: /cart\n";
    expect(allowed(text, "/books")).toBe(true);
    expect(allowed(text, "/cart/1")).toBe(false);
    expect(read(text).refusal(`${origin}/cart`)).toBe(
      "line 5 of https://shop.example/robots.txt disallows it for automated visitors",
    );
  });

  test.each([
    ["/p?page=2", "Disallow: /*?page=", false],
    ["/p", "Disallow: /*?page=", true],
    ["/a/b", "Disallow: /a\nAllow: /a/b", true],
    ["/a/c", "Disallow: /a\nAllow: /a/b", false],
    ["/x.pdf", "Disallow: /*.pdf$", false],
    ["/x.pdf?download", "Disallow: /*.pdf$", true],
    ["/", "Disallow:", true],
    ["/caf%C3%A9", "Disallow: /café", false],
    ["/a", "# Disallow: /", true],
  ])("%s under %j: allowed is %s", (path, rules, isAllowed) => {
    expect(allowed(`\uFEFFUser-agent: *\r\n${rules.replaceAll("\n", "\r\n")}`, path)).toBe(isAllowed);
  });

  test("Crawl-delay is taken over, within reason", () => {
    expect(read("User-agent: *\nCrawl-delay: 2.5").crawlDelayMs).toBe(2_500);
    expect(read("User-agent: *\nCrawl-delay: 86400").crawlDelayMs).toBe(CRAWL_DELAY_MAX_MS);
    for (const nonsense of ["-5", "soon", "NaN", ""])
      expect(read(`User-agent: *\nCrawl-delay: ${nonsense}`).crawlDelayMs).toBe(0);
  });

  test("only a file that keeps us from nothing is open", () => {
    expect(read("User-agent: *\nDisallow:\nSitemap: /map.xml").isOpen).toBe(true);
    expect(read("").isOpen).toBe(true);
    expect(read("<html>Disallowed</html>").isOpen).toBe(true);
    expect(read("User-agent: *\nDisallow: /a").isOpen).toBe(false);
    expect(read("User-agent: *\nCrawl-delay: 1").isOpen).toBe(false);
  });

  test("rules that only somebody writes who wants to keep us busy are left out, the others stay", () => {
    const long = `Disallow: /${"x".repeat(3_000)}\n`;
    const wildcards = `Disallow: /${"*a".repeat(500)}\n`.repeat(100);
    const text = `User-agent: *\n${long}${wildcards}Disallow: /*b\nDisallow: /cart\n`;
    expect(allowed(text, `/${"x".repeat(3_000)}`)).toBe(true);
    expect(allowed(text, "/b")).toBe(true);
    expect(allowed(text, `/${"a".repeat(600)}`)).toBe(false);
    expect(read(text).refusal(`${origin}/cart`)).toMatch(/^line 104 /);
  });

  test("none, and one that can't be had", () => {
    expect(readRobots(origin, { state: "none" }).refusal(`${origin}/`)).toBeUndefined();
    const lost = readRobots(origin, { state: "unreachable", reason: "the server answered with HTTP 503" });
    expect(lost.refusal(`${origin}/`)).toMatch(/could not be read \(the server answered with HTTP 503\)/);
    expect(lost.isOpen).toBe(false);
  });
});

describe("fetching one", () => {
  let site: Site;
  let egress: Egress;
  beforeAll(async () => {
    site = await startSite();
    egress = await startEgress({ allowHosts: [site.host] });
  });
  afterAll(async () => {
    await egress.close();
    await site.close();
  });
  const fetchIt = (timeoutMs?: number) =>
    fetchRobots(site.origin, {
      proxyUrl: egress.proxyUrl,
      userAgent: "Gleaner test",
      judge: async () => undefined,
      ...(timeoutMs && { timeoutMs }),
    });
  const answer = (handler: Handler) => site.setRoute("/robots.txt", handler);

  test("it names us, and takes compressed answers", async () => {
    let userAgent: string | undefined;
    answer((request, response) => {
      userAgent = request.headers["user-agent"];
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync("User-agent: *"));
    });
    expect(await fetchIt()).toEqual({ state: "found", text: "User-agent: *" });
    expect(userAgent).toBe("Gleaner test");
  });

  test.each([
    [404, "none"],
    [403, "none"],
    [500, "unreachable"],
    [503, "unreachable"],
  ])("HTTP %s: %s", async (status, state) => {
    answer((_, response) => void response.writeHead(status).end("User-agent: *\nDisallow: /"));
    expect(await fetchIt()).toMatchObject({ state });
  });

  test("five redirects are followed, not six", async () => {
    answer((_, response) => void response.writeHead(301, { location: "/hop/1" }).end());
    for (let hop = 1; hop < 5; hop += 1) site.setRedirect(`/hop/${hop}`, `/hop/${hop + 1}`);
    site.setRoute("/hop/5", (_, response) => void response.end("found"));
    expect(await fetchIt()).toEqual({ state: "found", text: "found" });
    site.setRedirect("/hop/5", "/hop/6");
    site.setRoute("/hop/6", (_, response) => void response.end("found"));
    expect(await fetchIt()).toEqual({ state: "none" });
  });

  test("a redirect to a private address is refused on the way out", async () => {
    const other = await startSite();
    other.setRoute("/robots.txt", "secret");
    answer((_, response) => void response.writeHead(302, { location: other.url("/robots.txt") }).end());
    expect(await fetchIt()).toMatchObject({ state: "unreachable" });
    expect(other.requests).toEqual([]);
    await other.close();
  });

  test("an endless one is cut, a silent one given up", async () => {
    answer((_, response) => {
      const line = `${"x".repeat(1_023)}\n`.repeat(64);
      const send = () => {
        while (response.write(line)) if (response.destroyed) return;
        if (!response.destroyed) response.once("drain", send);
      };
      send();
    });
    const cut = await fetchIt();
    expect(cut.state === "found" && cut.text.length).toBe(MAX_BYTES);
    answer(() => {});
    expect(await fetchIt(200)).toEqual({
      state: "unreachable",
      reason: "there was no answer within 0.2 seconds",
    });
  });

  test("a site that is not there", async () => {
    const gone = await startSite();
    await gone.close();
    expect(
      await fetchRobots(gone.origin, {
        proxyUrl: egress.proxyUrl,
        userAgent: "Gleaner test",
        judge: async () => undefined,
      }),
    ).toMatchObject({ state: "unreachable" });
  });

  test("no request is made for an address that carries a secret", async () => {
    const failure = new RunFailure("secret_unavailable", "It was not sent.");
    const judged: string[] = [];
    const robots = createRobots(
      () => ({
        proxyUrl: egress.proxyUrl,
        userAgent: "Gleaner test",
        proxyFailure: () => undefined,
        judge: async (url) => {
          judged.push(url);
          return failure;
        },
      }),
      async () => {},
    );
    site.requests.length = 0;
    await expect(robots.of(site.url("/next?secret"))).rejects.toBe(failure);
    expect(judged).toEqual([site.url("/next?secret")]);
    expect(site.requests).toEqual([]);
  });
});
