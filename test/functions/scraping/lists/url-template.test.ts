import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

const { site, scrape, setPages } = await startCardSite();

const pagination = (path: string) =>
  ({ type: "url_template", url: `${site.origin}${path}?page={page}` }) as const;

test.concurrent("goes on from the visited page to one that has nothing", async () => {
  setPages("/t", 4, () => "");
  const told = await scrape("/t", pagination("/t"));
  expect(told.names).toEqual(numbers(1, 12));
  setPages("/t2", 4, () => "");
  expect((await scrape("/t2?page=1", pagination("/t2"))).names).toEqual(numbers(1, 12));
});

test.concurrent("ends where the site has no such page, or gives the last one again", async () => {
  site.setRoute("/t404", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    sendHtml(response, cards(page * 3 - 2, page * 3), page > 2 ? 404 : 200);
  });
  const gone = await scrape("/t404?page=1", pagination("/t404"));
  expect(gone.failure).toBeUndefined();
  expect(gone.names).toEqual(numbers(1, 6));
  site.setRoute("/tlast", (request, response) => {
    const page = Math.min(3, Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1));
    sendHtml(response, cards(page * 3 - 2, page * 3));
  });
  expect((await scrape("/tlast?page=1", pagination("/tlast"))).names).toEqual(numbers(1, 9));
});

test.concurrent("start and step", async () => {
  site.setRoute("/offset", (request, response) => {
    const from = Number(new URL(request.url ?? "", site.origin).searchParams.get("from") ?? 0);
    sendHtml(response, from < 9 ? cards(from + 1, from + 3) : "");
  });
  const told = await scrape("/offset?from=0", {
    type: "url_template",
    url: `${site.origin}/offset?from={page}`,
    start: 0,
    step: 3,
  });
  expect(told.names).toEqual(numbers(1, 9));
});
