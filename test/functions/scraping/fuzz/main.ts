import { isDeepStrictEqual, parseArgs } from "node:util";
import type { Pagination } from "../../../../functions/contract/scrapers/scraper.ts";
import type { Step } from "../../../../functions/contract/steps/steps.ts";
import type { Scrape } from "../../../../functions/scraping/job.ts";
import { resumedAfter } from "../../../pages/runner/resumed.ts";
import { startSite } from "../../../site/site.ts";
import { startEngine } from "../harness.ts";
import { configOf, itemsOf, type PageConfig } from "./page-config.ts";
import { servePages } from "./site.ts";

/*
 * The engine on random pages whose rows are known. Each page gets its rows, draws them, and shows more of them in one of
 * the ways that sites have. The run of a page has to give exactly these rows; or it fails or warns, which is counted.
 */
const { values } = parseArgs({
  options: {
    /** The first seed, and how many. Each is a page. */
    from: { type: "string", default: "1" },
    count: { type: "string", default: "100" },
    /** Runs at a time: more than the machine has cores for find what depends on its speed. */
    abreast: { type: "string", default: "4" },
    /** Replaces parts of each config, as JSON. */
    config: { type: "string", default: "{}" },
  },
});
const first = Number(values.from);
const seeds = Array.from({ length: Number(values.count) }, (_, index) => first + index);
const fixed: Partial<PageConfig> = JSON.parse(values.config);

const site = await startSite();
/** The steps of the runs that are resumed, and after how many batches of rows. */
const resumed = new Map<readonly Step[], number>();
const resume =
  (scrape: Scrape): Scrape =>
  (job, context) => {
    const count = resumed.get(job.steps);
    return count ? resumedAfter(count)(scrape)(job, context) : scrape(job, context);
  };
const engine = await startEngine([site.host], { ownBrowsers: true, wrap: resume });
const counts = { right: 0, "right, with a warning": 0, "wrong or failed, and says so": 0, WRONG: 0 };
const queue = seeds.values();
await Promise.all(
  Array.from({ length: Number(values.abreast) }, async () => {
    for (const seed of queue) await check(seed);
  }),
);
await engine.close();
await site.close();
console.log(counts);
if (counts.WRONG > 0) process.exitCode = 1;

async function check(seed: number): Promise<void> {
  const config = { ...configOf(seed), ...fixed };
  const base = servePages(site, config);
  const steps = stepsOf(config, base);
  resumed.set(steps, config.resumedAfter);
  const {
    rows,
    warnings,
    failure,
    outcome: end,
  } = await engine.run({
    steps,
    pagination: paginationOf(config, base),
    engine: config.engine,
    rowsLimit: config.limit,
    clock: config.clock,
  });
  const isRight = end === "done" && isDeepStrictEqual(rows, rowsOf(config, base));
  const saysSo = end !== "done" || warnings.length > 0;
  const outcome = isRight
    ? (saysSo && "right, with a warning") || "right"
    : (saysSo && "wrong or failed, and says so") || "WRONG";
  counts[outcome] += 1;
  if (outcome === "right") return;
  const said = [failure?.message ?? "", ...warnings.map(({ message }) => message)].filter(Boolean);
  console.log(`seed ${seed}: ${outcome}\n  ${JSON.stringify(config)}\n  ${JSON.stringify(rows)}`);
  for (const text of said) console.log(`  ${text}`);
}

function stepsOf(
  { step, pager, fields, part, isFramed, layout, noises, key }: PageConfig,
  url: string,
): Step[] {
  const place = isFramed ? { frame: "iframe" } : {};
  const stock = { fields: [{ name: "stock", selector: part === "dialog" ? "#dialog .stock" : ".stock" }] };
  const list: Step = {
    type: "get_list",
    ...place,
    selector: fields === "visible" ? ".item:visible" : ".item",
    fields: [
      layout === "table" ? { name: "name", column: "Name" } : { name: "name", selector: "b" },
      layout === "table" ? { name: "price", column: "Price" } : { name: "price", selector: "i" },
      ...(layout === "variants"
        ? [{ name: "variants", list: { selector: "li", fields: [{ name: "colour", selector: "s" }] } }]
        : []),
      ...(fields === "link" || part === "page" ? [{ name: "url", selector: "a", attribute: "href" }] : []),
      ...(part === "panel" ? stock.fields : []),
    ],
    ...(key !== "none" && { key: [key] }),
    ...(part === "page" && { details: { url_field: "url", ...stock } }),
    ...((part === "panel" || part === "dialog") && { each: [{ type: "click", selector: "button" }] }),
    ...(part === "dialog" && { details: stock }),
  };
  const accept: Step = { type: "click", field_name: "Accept", optional: true, ...place };
  const before: Record<PageConfig["step"], Step[]> = {
    none: [],
    tab: [{ type: "click", selector: ".tab", ...place }],
    search: [{ type: "write_input", selector: ".search", value: "lamp", ...place }],
    dropdown: [{ type: "select_dropdown", selector: "select", value: "Lamps", ...place }],
  };
  return pager === "template"
    ? [list]
    : [
        { type: "visit", url: isFramed ? `${url}/framed` : url },
        ...(noises.includes("consent") ? [accept] : []),
        ...before[step],
        list,
      ];
}

function paginationOf({ pager }: PageConfig, base: string): Pagination {
  if (pager === "none") return { type: "none" };
  if (pager === "template") return { type: "url_template", url: `${base}?page={page}` };
  if (pager === "more") return { type: "load_more", selector: ".control" };
  return pager.startsWith("scroll")
    ? { type: "infinite_scroll" }
    : { type: "next_button", selector: pager === "numbers" ? "[aria-current] + button" : ".control" };
}

function rowsOf(config: PageConfig, base: string) {
  const pages = Array.from({ length: config.pages }, (_, index) => itemsOf(config, index + 1));
  const { key } = config;
  const colours = config.layout === "variants" ? [{ colour: "red" }, { colour: "blue" }] : [{}];
  const rows = pages.flat().map(({ number, name, price }) => ({
    name,
    price,
    ...((config.fields === "link" || config.part === "page") && { url: `${base}/items/${number}` }),
    ...(config.part !== "none" && { stock: `${number} left` }),
  }));
  const distinct =
    key === "none"
      ? rows
      : rows.filter(
          (row, index) => !row[key] || rows.findIndex((other) => other[key] === row[key]) === index,
        );
  return distinct.flatMap((row) => colours.map((colour) => ({ ...row, ...colour }))).slice(0, config.limit);
}
