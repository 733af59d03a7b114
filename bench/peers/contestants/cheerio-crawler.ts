import { type CheerioAPI, CheerioCrawler, log } from "@crawlee/cheerio";
import type { Contestant, ContestRow } from "../../contest/contestant.ts";
import { LIST_PAGES } from "../../engine/shop-site.ts";
import type { Workload } from "../../engine/workloads.ts";
import { EAGER, inMemory } from "./crawlee-settings.ts";

type Fields = Workload["list"]["fields"];

/**
 * Crawlee without a browser, with the settings of the tuned one. Where a script of the page loads more rows, it knows the
 * addresses that the script would request.
 */
export const contestant: Contestant = {
  async run(task) {
    const { workload, origin } = task;
    const { list, pagination } = workload;
    const rows: (readonly ContestRow[])[] = [];
    const isGrowing = pagination.type === "load_more" || pagination.type === "infinite_scroll";
    let missing = workload.runs;
    if (isGrowing) missing = LIST_PAGES;
    if (list.details) missing = workload.rows;
    log.setLevel(log.LEVELS.OFF);
    const crawler = new CheerioCrawler(
      {
        ...EAGER,
        async requestHandler({ $, request, crawler }) {
          const { place, row } = request.userData;
          const base = request.loadedUrl;
          if (request.label === "DETAIL") {
            rows[place] = [{ ...row, ...rowsOf($, "body", list.details?.fields ?? [], base)[0] }];
            missing -= 1;
          } else {
            const found = rowsOf($, list.selector, list.fields, base);
            const next = $(".pagination__next").attr("href");
            if (list.details) {
              await crawler.addRequests(
                found.map((row, place) => ({
                  url: row.url ?? "",
                  label: "DETAIL",
                  userData: { row, place },
                })),
              );
            } else {
              rows[place] = found;
              if (next === undefined) missing -= 1;
              else
                await crawler.addRequests([
                  { url: new URL(next, base).href, userData: { place: place + 1 } },
                ]);
            }
          }
          if (missing === 0) await task.done(rows.flat());
        },
      },
      inMemory(),
    );
    const first = { url: origin + workload.path, userData: { place: 0 } };
    const more = Array.from({ length: LIST_PAGES - 1 }, (_, index) => ({
      url: `${origin}/fragment?page=${index + 2}`,
      userData: { place: index + 1 },
    }));
    const again = Array.from({ length: workload.runs }, (_, place) => ({
      ...first,
      uniqueKey: `${place}`,
      userData: { place },
    }));
    await crawler.run(isGrowing ? [first, ...more] : again);
  },
};

const rowsOf = ($: CheerioAPI, selector: string, fields: Fields, base: string): Record<string, string>[] =>
  $(selector)
    .toArray()
    .map((element) => {
      const row: Record<string, string> = {};
      for (const { name, selector: cell, attribute } of fields) {
        const found = $(element)
          .find(cell ?? "*")
          .first();
        row[name] =
          attribute === "href"
            ? new URL(found.attr("href") ?? "", base).href
            : found.text().replace(/\s+/g, " ").trim();
      }
      return row;
    });
