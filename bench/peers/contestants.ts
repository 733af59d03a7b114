import type { Entry } from "../contest/contestant.ts";
import { own, single, untimed } from "../engine/contestants.ts";

const module = (name: string) => new URL(`./contestants/${name}.ts`, import.meta.url).href;

/** The engine with an optimization switched off. */
export const switchedOff: readonly Entry[] = [own.oneAtATime, own.laidOut];

/** All other contestants, in the order of the table. */
export const contestants: readonly Entry[] = [
  own.engine,
  own.auto,
  own.service,
  own.tuned,
  own.openBrowser,
  own.documented,
  { name: "puppeteer", module: module("puppeteer"), only: untimed },
  { name: "crawlee_tuned", module: module("crawlee-tuned"), only: untimed },
  { name: "crawlee_documented", module: module("crawlee-documented"), only: single },
  { name: "maxun_core", module: module("maxun-core"), only: single.filter((name) => name !== "details") },
  { name: "cheerio_crawler", module: module("cheerio-crawler"), only: untimed },
  { name: "http_and_parser", module: module("http-and-parser"), only: untimed },
];
