import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import * as v from "valibot";
import { Inspection } from "../../functions/contract/inspections/inspection.ts";
import type { AccountView } from "../../functions/contract/service-routes.ts";
import { newScraper } from "../../local/inspections/new-scraper.ts";
import { startWorld, type World } from "./harness.ts";

/* Inspections over HTTP, on the real service and a real browser. */

let world: World;
let lamps: { url: string; close(): void };
beforeAll(async () => {
  lamps = await startLamps();
  world = await startWorld({ allowHosts: [new URL(lamps.url).host] });
});
afterAll(async () => {
  await world.stop();
  lamps.close();
});

/** A list of one lamp, and its page, which states its values in JSON-LD, microdata and Open Graph. */
async function startLamps() {
  const product = { "@type": "Product", name: "Desk lamp", offers: { price: 9.5 } };
  const offer =
    '<p itemprop="offers" itemscope><link itemprop="availability" href="https://schema.org/InStock">';
  const lamp = `<script type="application/ld+json">${JSON.stringify(product)}</script><h1>Lamp</h1><meta property="og:image" content="/lamp.jpg"><div itemscope itemtype="https://schema.org/Product">${offer}</div>`;
  const server = createServer(({ url }, response) => {
    response.setHeader("content-type", "text/html");
    response.end(url === "/lamp" ? lamp : '<ul><li><a href="/lamp">Lamp</a></li></ul>');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => void server.close() };
}

const inspect = async (body: object): Promise<Inspection> => {
  const answer = await world.post<Inspection>("/v1/inspections", body);
  expect(answer.status).toBe(200);
  return v.parse(Inspection, answer.body);
};
const books = () => `${world.shopUrl}/books`;
const creditsUsed = async () => (await world.call<AccountView>("/v1/account")).body.credits.used;

describe("an address", () => {
  test("is answered with the lists, the ways of going on and the forms of its page", async () => {
    const found = await inspect({ url: books() });
    expect(found).toMatchObject({ ok: true, error: null, rows: [], map: null, screenshot: null });
    expect(found.steps).toEqual([{ index: 0, type: "visit", ms: expect.any(Number), url_after: books() }]);
    expect(found.page?.url).toBe(books());
    expect(found.credits_used).toBe(1);
    const [list] = found.lists ?? [];
    expect(list?.sample_rows).toHaveLength(3);
    for (const { name, filled, samples } of list?.fields ?? []) {
      const values = [...new Set(list?.sample_rows.flatMap((row) => row[name] ?? []))];
      expect(values).toEqual(samples.slice(0, values.length));
      if (filled === 1) expect(values.length).toBeGreaterThan(0);
    }
  });

  test("that can't be reached is a result, too", async () => {
    const found = await inspect({ url: "http://127.0.0.1:8099/" });
    expect(found).toMatchObject({ ok: false, error: { code: "blocked_address", step: 0 }, credits_used: 0 });
  });

  test("has a map and a picture, if asked for", async () => {
    const found = await inspect({ url: books(), want: ["map", "screenshot"] });
    expect(
      Buffer.from(found.screenshot ?? "", "base64")
        .subarray(0, 2)
        .toString("hex"),
    ).toBe("ffd8");
    const elements = found.map?.elements ?? [];
    expect(elements[0]?.slice(0, 2)).toEqual([-1, "body"]);
    for (const [index, [parent]] of elements.entries()) expect(parent as number).toBeLessThan(index);
    const handleOf = (text: string) => {
      const ref = elements.find((element) => element[6] === text)?.[8];
      return found.map?.handles.find(([of]) => of === ref)?.slice(1);
    };
    expect(handleOf("Next")).toEqual(["Next", '[rel="next"]']);
    expect(handleOf("Homer")).toEqual(["", ".book-card:nth-of-type(1) > p:nth-of-type(1)"]);
    expect(found).toMatchObject({ rows: null, lists: null, pagination: null, forms: null });
  });
});

test("with a map, lists tell which elements are their rows and fields, and steps find the others", async () => {
  const found = await inspect({ url: books(), want: ["map", "lists", "forms"] });
  const textOf = new Map(found.map?.elements.map((element) => [element[8], element[6]]));
  const [list] = found.lists ?? [];
  expect(list?.row_refs).toHaveLength(list?.count ?? 0);
  for (const [index, { name, attribute }] of (list?.fields ?? []).entries()) {
    const cells = list?.cell_refs?.[index] ?? [];
    expect(cells).toHaveLength(list?.count ?? 0);
    if (attribute !== undefined || !/title|author|price/.test(name)) continue;
    for (const [row, values] of (list?.sample_rows ?? []).entries())
      expect([name, textOf.get(cells[row] ?? -1)]).toEqual([name, values[name] ?? textOf.get(-1)]);
  }
  // What stands in the rows is found by the list.
  const handles = new Map(found.map?.handles.map(([ref, ...handle]) => [ref, handle]));
  const titles = list?.cell_refs?.[list.fields.findIndex(({ name }) => name === "title")] ?? [];
  expect(handles.get(titles[0] ?? -1)).toEqual(["The Odyssey", ""]);
  const search = found.forms?.flatMap(({ inputs }) => inputs).find(({ label }) => label === "Search books");
  expect(handles.get(search?.ref ?? -1)).toEqual(["", "#search"]);
  const { lists } = await inspect({ url: books(), want: ["lists"] });
  expect(lists?.[0]).not.toHaveProperty("row_refs");
});

test("rows like two elements of the map are a list", async () => {
  const { map } = await inspect({ url: books(), want: ["map"] });
  const refOf = (text: string) => (map?.elements ?? []).find((element) => element[6] === text)?.[8];
  const like = [refOf("Poetry & plays"), refOf("Travel")];
  const found = await inspect({ url: books(), want: ["lists"], like });
  expect(found.lists?.[0]).toMatchObject({ selector: '[aria-label="Main"] li', count: 7 });
  const none = await inspect({ url: books(), want: ["lists"], like: [like[0], like[0]] });
  expect(none).toMatchObject({ lists: [], warnings: [{ code: "no_list" }] });
});

describe("what is proposed for the shop", () => {
  test("works as a definition, and its pagination is proved by new rows on page 2", async () => {
    const made = await newScraper({ url: books(), inspect, choose: async ([list]) => list && { list } });
    if (made.outcome !== "drafted") throw new Error(made.outcome);
    const { definition, rejected } = made;
    expect([definition.pagination.type, rejected]).toEqual(["next_button", []]);
    const found = await inspect({ definition, pages: 2 });
    expect(found.error).toBeNull();
    expect(found.pages).toHaveLength(2);
    for (const { rows, new_rows } of found.pages) expect([rows > 0, new_rows]).toEqual([true, rows]);
    expect(found.rows).toHaveLength((found.pages[0]?.rows ?? 0) + (found.pages[1]?.rows ?? 0));
    for (const { name, filled } of found.fields) expect(`${name} ${filled}`).not.toBe(`${name} 0`);
  });
});

test("what a page states about itself is proposed, and read by a definition that has it as it is", async () => {
  const found = await inspect({ url: `${lamps.url}/lamp` });
  expect(found.page?.fields?.map(({ name, kind, samples }) => [name, kind, ...samples])).toEqual([
    ["title", "text", "Desk lamp"],
    ["price", "number", "9.5"],
    ["availability", "url", "https://schema.org/InStock"],
    ["image", "image", "/lamp.jpg"],
  ]);
  const steps = [
    { type: "visit", url: lamps.url },
    {
      type: "get_list",
      selector: "li",
      fields: [{ name: "link", selector: "a", attribute: "href" }],
      details: { url_field: "link", fields: found.page?.fields },
    },
  ];
  const { error, rows } = await inspect({ definition: { name: "Lamps", steps } });
  expect([error, rows]).toEqual([
    null,
    [
      {
        link: `${lamps.url}/lamp`,
        title: "Desk lamp",
        price: "9.5",
        availability: "https://schema.org/InStock",
        image: `${lamps.url}/lamp.jpg`,
      },
    ],
  ]);
});

describe("a definition", () => {
  const steps = () => [
    { type: "visit", url: books() },
    { type: "click", field_name: "A button that does not exist", timeout_ms: 0 },
  ];

  test("whose step fails is answered with the step, the reason and the page that it failed on", async () => {
    const found = await inspect({ definition: { name: "Fails", steps: steps() } });
    expect(found).toMatchObject({ ok: false, error: { code: "element_not_found", step: 1 } });
    expect(found.page?.url).toBe(books());
    expect(found.lists?.length).toBeGreaterThan(0);
  });

  test("tells where each step led", async () => {
    const click = { type: "click", field_name: "Next" };
    const found = await inspect({ definition: { name: "Steps", steps: [steps()[0], click, click] } });
    expect(found.steps.map(({ url_after }) => url_after)).toEqual([
      books(),
      `${books()}?page=2`,
      `${books()}?page=3`,
    ]);
  });

  test("is run through the step that is asked for", async () => {
    const found = await inspect({ definition: { name: "Fails", steps: steps() }, through: 0 });
    expect(found).toMatchObject({ ok: true, steps: [{ index: 0 }] });
  });

  test("that is stored is inspected by its id", async () => {
    const { id } = await world.putScraper({ name: "Stored", steps: steps().slice(0, 1) });
    expect(await inspect({ scraper_id: id })).toMatchObject({ ok: true });
  });
});

test("the credits of an inspection count, and an account without credits gets none", async () => {
  const before = await creditsUsed();
  await inspect({ url: books() });
  expect(await creditsUsed()).toBe(before + 1);
  await world.setLimits({ credit_limit: before + 1 });
  const refused = await world.post<{ message: string }>("/v1/inspections", { url: books() });
  await world.setLimits({ credit_limit: null });
  expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining("no credits left")]);
});

test("a third inspection at a time waits for its turn", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => world.post("/v1/inspections", { url: books() })));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});

test.each([
  ["nothing", {}, "", "requires one of these"],
  ["two sources", { url: "https://a.example/", scraper_id: "x" }, "", "requires one of these"],
  ["an address without a scheme", { url: "shop.example/list" }, "url", "http:// or https://"],
  ["a step that is not there", { url: "https://a.example/", through: 4 }, "through", "at most 0"],
  ["too many pages", { url: "https://a.example/", pages: 9 }, "pages", "at most 3"],
  ["three elements", { url: "https://a.example/", like: [1, 2, 3] }, "like", "one or two elements"],
  ["an unknown part", { url: "https://a.example/", want: ["everything"] }, "want[0]", "rows"],
])("a request with %s is refused, and told what to do", async (_, body, path, message) => {
  const answer = await world.post<{ errors: { path: string; message: string }[] }>("/v1/inspections", body);
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toEqual([{ path, message: expect.stringContaining(message) }]);
});

test("those that nobody waits for any longer end, and give their browsers back", async () => {
  const open = new Set<string>();
  const arrived = new EventEmitter();
  const hanging = createServer((request, response) => {
    const path = String(request.url);
    open.add(path);
    arrived.emit("change");
    response.once("close", () => {
      open.delete(path);
      arrived.emit("change");
    });
  }).listen(0, "127.0.0.1");
  await once(hanging, "listening");
  const host = `127.0.0.1:${(hanging.address() as AddressInfo).port}`;
  const own = await startWorld({ allowHosts: [host] });
  const until = async (isDone: () => boolean) => {
    while (!isDone()) await once(arrived, "change");
  };
  try {
    const inspect = (path: string) => {
      const leaving = new AbortController();
      const answer = fetch(`${own.service.url}/v1/inspections`, {
        method: "POST",
        body: JSON.stringify({ url: `http://${host}${path}` }),
        headers: {
          authorization: `Bearer ${own.service.credentials.api_key}`,
          "content-type": "application/json",
        },
        signal: leaving.signal,
      });
      answer.catch(() => undefined);
      return leaving;
    };
    const one = inspect("/one");
    await until(() => open.has("/one"));
    const two = inspect("/two");
    await until(() => open.has("/two"));
    const body = { url: `${own.shopUrl}/books` };
    const waiting = own.post("/v1/inspections", body);
    two.abort();
    await until(() => !open.has("/two"));
    expect((await waiting).status).toBe(200);
    // Its time limit comes first: if the inspections did not end with their requests, this page would be closed before.
    expect(open).toContain("/one");
    one.abort();
    await until(() => !open.has("/one"));
  } finally {
    await own.stop();
    hanging.closeAllConnections();
    hanging.close();
  }
});
