import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { cardList, type Page, type Routes, visit } from "../page.ts";

/** Responses with a type of content, after `ms`. */
export const answer =
  (body: string, { ms = 0, type = "text/html" } = {}): Handler =>
  async (_, response) => {
    await sleep(ms);
    response.writeHead(200, { "content-type": `${type}; charset=utf-8` }).end(body);
  };

/** A response in parts, with a pause after each of them but the last. */
export const inParts =
  (ms: number, ...parts: string[]): Handler =>
  async (_, response: ServerResponse) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    for (const part of parts.slice(0, -1)) {
      response.write(part);
      await sleep(ms);
    }
    response.end(parts.at(-1));
  };

/** Handles the first request in one way, and all later ones in another. */
export function firstThen(first: Handler, then: Handler): Handler {
  let requests = 0;
  return (request, response) => {
    requests += 1;
    return (requests === 1 ? first : then)(request, response);
  };
}

/** The same rows, `count` times. */
export const times = <T>(count: number, rows: readonly T[]): T[] =>
  Array.from({ length: count }, () => rows).flat();

/** A page that reads the list of each document in one run, one document after another. */
export const eachDocument = (
  documents: Record<string, string | Handler>,
  { list = cardList as Step, also = {} as Routes } = {},
): Pick<Page, "steps" | "routes"> => {
  const paths = Object.keys(documents).map((name) => `/${name.replaceAll(" ", "-")}`);
  return {
    steps: paths.flatMap((path) => [visit(path), list]),
    routes: { ...also, ...Object.fromEntries(Object.values(documents).map((html, at) => [paths[at], html])) },
  };
};

/** Why pages that wait in a loop for the time to pass are slow. */
export const STUCK =
  "The engine knows after eight seconds that the page is stuck. So long, its loop takes a whole core.";
