import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Page, Pages } from "../page.ts";

/** One run of the corpus: a variant of a page with one engine. */
export interface Case {
  /** For example `lists/load-more > a button that stays`. */
  name: string;
  page: Page;
}

const ROOT = join(import.meta.dirname, "..");
/** Folders that hold no pages. */
const NO_PAGES = new Set(["runner", "parts"]);

/**
 * All cases of the corpus, those of different files mixed: many of one file wait for the same, and would leave the processor
 * idle at the same time.
 */
export async function loadCases(): Promise<Case[]> {
  const files = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((file) => /\/[^/]+\.(ts|html)$/.test(file) && !file.split("/").some((part) => NO_PAGES.has(part)))
    .sort();
  const loaded = await Promise.all(files.map((file) => loadFile(join(ROOT, file))));
  const placed = loaded.flatMap((cases) =>
    cases.map((each, index) => ({ each, place: (index + 0.5) / cases.length })),
  );
  return placed.sort((one, other) => one.place - other.place).map(({ each }) => each);
}

async function loadFile(path: string): Promise<Case[]> {
  const topic = relative(ROOT, path).replace(/\.\w+$/, "");
  if (path.endsWith(".html")) return casesOf(topic, readHtmlPage(path));
  const { default: pages } = (await import(path)) as { default: Pages };
  return Object.entries(pages).flatMap(([name, page]) => casesOf(`${topic} > ${name}`, page));
}

/** An HTML file begins with a comment that holds the scraper and what its run must tell, as JSON. */
function readHtmlPage(path: string): Page {
  const [, json, html] = /^<!--\s*(\{[\s\S]*?\})\s*-->\n?([\s\S]*)$/.exec(readFileSync(path, "utf8")) ?? [];
  if (json === undefined || html === undefined)
    throw new Error(`${path} must begin with a comment that holds its scraper and rows as JSON.`);
  return { ...JSON.parse(json), html };
}

function casesOf(name: string, { variants, ...page }: Page): Case[] {
  const chosen = Object.entries(variants ?? { "": {} });
  return chosen.flatMap(([variant, changes]) => {
    const varied = { ...page, ...changes };
    return (varied.engines ?? [varied.engine]).map((engine) => ({
      name: [name, variant, varied.engines && `by ${engine}`].filter(Boolean).join(" > "),
      page: engine === undefined ? varied : { ...varied, engine },
    }));
  });
}
