import type { Pagination } from "../../../../functions/contract/scraper.ts";
import { sendHtml } from "../../../site/site.ts";
import { startEngineAndSite } from "../engine-and-site.ts";

export const cards = (from: number, to: number, text = (n: number) => `Lamp ${n}`) =>
  Array.from(
    { length: to - from + 1 },
    (_, index) => `<li class="card"><a href="/p/${from + index}">${text(from + index)}</a></li>`,
  ).join("");
/** The names on these cards. */
export const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `Lamp ${from + index}`);

/** A site of numbered cards, and how to scrape its lists. */
export async function startCardSite() {
  const { engine, site } = await startEngineAndSite();

  const scrape = async (path: string, pagination: Pagination, rowsLimit = 1_000, frame?: string) => {
    const told = await engine.run({
      steps: [
        { type: "visit", url: site.url(path) },
        { type: "get_list", selector: ".card", fields: [{ name: "name" }], timeout_ms: 3_000, frame },
      ],
      pagination,
      rowsLimit,
    });
    return { ...told, names: told.rows.map((row) => row.name) };
  };

  /** Pages of a list by `?page=`, with whatever control the page shows. */
  const setPages = (path: string, count: number, control: (page: number) => string, body = "") =>
    site.setRoute(path, (request, response) => {
      const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
      const list = page <= count ? cards(page * 3 - 2, page * 3) : "";
      sendHtml(response, `<ul>${list}</ul>${control(page)}${body}`);
    });
  return { engine, site, scrape, setPages };
}
