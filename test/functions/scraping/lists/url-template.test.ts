import { expect, test } from "@jest/globals";
import { sendHtml } from "../../../site/site.ts";
import { cards, numbers, startCardSite } from "./card-site.ts";

const { engine, site, scrape, setPages } = await startCardSite();

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

test.concurrent("warns where pages behind the end lead to one that is no page of the list", async () => {
  site.setRoute("/home", (_, response) => sendHtml(response, cards(100, 104)));
  site.setRoute("/thome", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    if (page > 3) response.writeHead(302, { location: "/home" }).end();
    else sendHtml(response, cards(page * 3 - 2, page * 3));
  });
  const told = await scrape("/thome?page=1", pagination("/thome"));
  expect(told.names).toEqual([...numbers(1, 9), ...numbers(100, 104)]);
  expect(told.warnings).toMatchObject([
    { code: "rows_repeated", message: expect.stringContaining("/home, has the same rows") },
  ]);
});

test.concurrent("warns where a page redirects to one without the list", async () => {
  site.setRoute("/consent", (_, response) => sendHtml(response, "<h1>We value your privacy</h1>"));
  site.setRoute("/tconsent", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page") ?? 1);
    if (page > 2) response.writeHead(302, { location: "/consent" }).end();
    else sendHtml(response, cards(page * 3 - 2, page * 3));
  });
  const told = await scrape("/tconsent?page=1", pagination("/tconsent"));
  expect(told.names).toEqual(numbers(1, 6));
  expect(told.warnings).toMatchObject([
    {
      code: "rows_may_be_missing",
      message: expect.stringContaining("/consent, where nothing matches .card"),
    },
  ]);
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

test("needs no visit before it", async () => {
  setPages("/own", 4, () => "");
  const before = site.requests.length;
  const told = await engine.run({
    steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }] }],
    pagination: { ...pagination("/own"), max_pages: 3 },
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 9));
  expect(told.loads).toBe(3);
  expect(site.requests.slice(before).filter((path) => path.startsWith("/own"))).toHaveLength(3);
  const [first] = told.batches;
  if (!first) throw new Error("The first page has a batch.");
  const rest = await engine.run({
    steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }] }],
    pagination: { ...pagination("/own"), max_pages: 3 },
    from: { checkpoint: first.checkpoint, rowCount: first.rows.length },
  });
  expect(rest.rows.map(({ name }) => name)).toEqual(numbers(4, 9));
});

test("does not load the page again that is open, however its address is written", async () => {
  setPages("/open page", 2, () => "");
  site.setRoute("/open%20page", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
    sendHtml(response, page <= 2 ? cards(page * 3 - 2, page * 3) : "");
  });
  const before = site.requests.length;
  const told = await scrape("/open%20page?page=1", pagination("/open page"));
  expect(told.names).toEqual(numbers(1, 6));
  expect(site.requests.slice(before).filter((path) => path.endsWith("page=1"))).toHaveLength(1);
});

test("waits for each page's list as long as the step says", async () => {
  site.setRoute("/slow-lists", (request, response) => {
    const page = Number(new URL(request.url ?? "", site.origin).searchParams.get("page"));
    const list = page <= 3 ? cards(page * 3 - 2, page * 3) : "";
    sendHtml(
      response,
      `<ul></ul><script>setTimeout(() => {
      document.querySelector("ul").innerHTML = ${JSON.stringify(list)}; }, ${page === 1 ? 0 : 4_000})</script>`,
    );
  });
  const told = await engine.run({
    steps: [{ type: "get_list", selector: ".card", fields: [{ name: "name" }], timeout_ms: 8_000 }],
    pagination: pagination("/slow-lists"),
  });
  expect(told.failure).toBeUndefined();
  expect(told.rows.map(({ name }) => name)).toEqual(numbers(1, 9));
});
