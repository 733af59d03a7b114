import { afterAll, beforeAll, expect, test } from "@jest/globals";
import * as v from "valibot";
import { Step } from "../../../../functions/contract/steps/steps.ts";
import { describeCapture } from "../../../../functions/inspections/describe-capture.ts";
import type { PageCapture } from "../../../../functions/scraping/page/pictures/capture.ts";
import { withTransforms } from "../../../../functions/values/with-transforms.ts";
import { type Site, startSite } from "../../../site/site.ts";
import { type Engine, startEngine } from "../../scraping/harness.ts";

/* Values that pages state for search engines and social networks: what is proposed, and what a run with it reads. */

let site: Site;
let engine: Engine;
let seen: PageCapture | undefined;
beforeAll(async () => {
  site = await startSite();
  const capture = {
    wantsScreenshot: false,
    wantsJson: true,
    onCapture: (one: PageCapture) => {
      seen = one;
    },
  };
  engine = await startEngine([site.host], {
    wrap: (scrape) => withTransforms((job, context) => scrape(job, { ...context, capture })),
  });
});
afterAll(async () => {
  await engine.close();
  await site.close();
});

const ld = (value: unknown, attributes = "") =>
  `<script type="application/ld+json"${attributes}>${typeof value === "string" ? value : JSON.stringify(value)}</script>`;
const schema = (type: unknown, more: object) => ({
  "@context": "https://schema.org",
  "@type": type,
  ...more,
});
const meta = (name: string, content: string, by = "property") =>
  `<meta ${by}="${name}" content="${content}">`;
const lamp = (more: object = {}) =>
  schema("Product", {
    name: "Desk lamp",
    image: ["/lamp.jpg", "/lamp-2.jpg"],
    offers: {
      "@type": "Offer",
      price: 49.9,
      priceCurrency: "EUR",
      availability: "https://schema.org/InStock",
    },
    ...more,
  });
const LAMP = {
  title: "Desk lamp",
  price: "49.9",
  currency: "EUR",
  availability: "https://schema.org/InStock",
  image: "/lamp.jpg",
};
const item = (type: string, inner: string) =>
  `<div itemscope itemtype="http://schema.org/${type}">${inner}</div>`;
const scoped = (name: string, inner: string) => `<div itemprop="${name}" itemscope>${inner}</div>`;
const SHOP = ld(schema("Organization", { name: "Lamps & Co", logo: "/logo.png", image: "/shop.jpg" }));
const CRUMBS = ld(
  schema("BreadcrumbList", { itemListElement: [{ "@type": "ListItem", name: "Lamps", item: "/lamps" }] }),
);

const pages: [name: string, html: string, values: Record<string, string>][] = [
  ["a product of JSON-LD", ld(lamp()), LAMP],
  ["one of several scripts", SHOP + CRUMBS + ld(lamp(), ' id="ld-4711"') + SHOP, LAMP],
  [
    "a member of a graph",
    ld({
      "@context": "https://schema.org",
      "@graph": [schema("WebPage", { name: "Shop", datePublished: "2020-01-01" }), lamp()],
    }),
    LAMP,
  ],
  ["a member of a list", ld([schema("WebSite", { name: "Shop" }), lamp()]), LAMP],
  ["what a page is about", ld(schema("ItemPage", { name: "Lamps & Co", mainEntity: lamp() })), LAMP],
  [
    "several types, written out",
    ld({ "@graph": [{ ...lamp(), "@type": ["http://schema.org/Product", "Lamp"] }] }),
    LAMP,
  ],
  ["a product beside related ones", ld(lamp({ isRelatedTo: [lamp({ name: "Floor lamp" })] })), LAMP],
  [
    "offers with one price",
    ld(lamp({ offers: [{ price: "49.90" }, { price: "49.90" }] })),
    { title: "Desk lamp", price: "49.90", image: "/lamp.jpg" },
  ],
  [
    "offers with several prices",
    ld(lamp({ offers: [{ price: 9 }, { price: 12 }] })),
    { title: "Desk lamp", image: "/lamp.jpg" },
  ],
  [
    "a price from a specification",
    ld(lamp({ offers: { priceSpecification: { price: 8, priceCurrency: "CHF" } } })),
    { title: "Desk lamp", price: "8", currency: "CHF", image: "/lamp.jpg" },
  ],
  [
    "a lowest price",
    ld(lamp({ offers: { "@type": "AggregateOffer", lowPrice: 3, priceCurrency: "EUR" } })),
    { title: "Desk lamp", low_price: "3", currency: "EUR", image: "/lamp.jpg" },
  ],
  [
    "an article",
    ld(
      schema("NewsArticle", {
        headline: "It rains",
        image: { url: "https://cdn.example/rain.jpg" },
        datePublished: "2026-03-03T10:00:00Z",
      }),
    ),
    { title: "It rains", image: "https://cdn.example/rain.jpg", date: "2026-03-03T10:00:00Z" },
  ],
  [
    "an event and a job",
    ld(schema("Event", { name: "Fair", startDate: "2026-05-01" })) +
      ld(schema("JobPosting", { title: "Baker" })),
    { title: "Fair", date: "2026-05-01" },
  ],
  [
    "several products of a list are none",
    ld([lamp(), lamp({ name: "Floor lamp", image: "/f.jpg", offers: [] })]),
    {},
  ],
  ["a product that is there twice", ld(lamp()) + ld(lamp()), LAMP],
  [
    "JSON-LD that is broken",
    ld('{"@type":"Product","name":"Desk lamp"') + meta("og:title", "Lamp"),
    { title: "Lamp" },
  ],
  [
    "Open Graph",
    [
      meta("og:title", "Desk lamp &amp; bulb"),
      meta("og:image", "https://cdn.example/1.jpg"),
      meta("og:image", "https://cdn.example/2.jpg"),
      meta("product:price:amount", "49.90"),
      meta("product:price:currency", "EUR"),
      meta("product:availability", "instock"),
      meta("article:published_time", "2026-03-03"),
    ].join(""),
    {
      title: "Desk lamp & bulb",
      price: "49.90",
      currency: "EUR",
      availability: "instock",
      image: "https://cdn.example/1.jpg",
      date: "2026-03-03",
    },
  ],
  [
    "names of meta elements",
    meta("twitter:title", "Lamp", "name") + meta("og:image", "/relative.png", "name"),
    { title: "Lamp", image: "/relative.png" },
  ],
  ["meta elements that differ", meta("og:title", "One") + meta("og:title", "Two"), {}],
  [
    "values of two sources that differ",
    ld(lamp()) + meta("og:title", "Desk lamp | Lamps & Co") + meta("product:price:amount", "49,90"),
    { ...LAMP, title_meta: "Desk lamp | Lamps & Co" },
  ],
  [
    "microdata",
    item(
      "Product",
      `<h1 itemprop="name">Desk <b>lamp</b></h1><a href="/big"><img itemprop="image" src="/lamp.jpg"></a>${scoped("brand", '<b itemprop="name">Elm</b>')}${scoped("review", '<b itemprop="name">Good</b><time itemprop="datePublished" datetime="2020-02-02">Feb</time>')}${scoped("offers", '<meta itemprop="priceCurrency" content="EUR"><b itemprop="price" content="49.9">49,90 €</b><link itemprop="availability" href="https://schema.org/InStock">')}`,
    ),
    { ...LAMP },
  ],
  [
    "microdata with a text and a time",
    item(
      "BlogPosting",
      '<h1 itemprop="headline">It rains</h1><time itemprop="datePublished" datetime="2026-03-03">today</time>',
    ),
    { title: "It rains", date: "2026-03-03" },
  ],
  [
    "several items of microdata are none",
    item("Product", '<b itemprop="name">A</b>') + item("Product", '<b itemprop="name">B</b>'),
    {},
  ],
  [
    "a hidden text of microdata",
    item("Product", '<b itemprop="name" hidden>A</b><data itemprop="image" value="x">x</data>'),
    { image: "x" },
  ],
  ["a page without any", "<h1>Desk lamp</h1>", {}],
];

type Field = NonNullable<NonNullable<ReturnType<typeof describeCapture>["page"]>["fields"]>[number];
/** What was proposed for each page that has some, by its path, with the values that are right. */
const proposed: { name: string; path: string; fields: Field[]; read: Record<string, string> }[] = [];

const visit = (path: string) => ({ type: "visit", url: site.url(path) }) as const;
const resolved = (row: Record<string, string | undefined>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value = ""]) => [
      name,
      name === "image" ? new URL(value, site.origin).href : value,
    ]),
  );

test.each(pages)("%s", async (name, html, values) => {
  const path = site.newPath();
  site.setRoute(path, `<!doctype html><head><title>Page</title></head><body><p>Text</p>${html}</body>`);
  expect((await engine.run({ steps: [visit(path)] })).failure).toBeUndefined();
  const { page } = describeCapture(seen, { want: ["lists"] }, { hasRows: false, isOk: true });
  const fields = page?.fields ?? [];
  expect(resolved(Object.fromEntries(fields.map(({ name, samples: [value] }) => [name, value])))).toEqual(
    resolved(values),
  );
  if (fields.length > 0) proposed.push({ name, path, fields, read: resolved(values) });
});

test("what is proposed can be pasted as it is into steps, and gives these values", async () => {
  const steps = proposed.flatMap(({ path, fields }) => [
    visit(path),
    ...fields.map(({ name, ...field }) => ({ type: "get_text", field_name: `${path} ${name}`, ...field })),
  ]);
  const { failure, warnings, rows } = await engine.run({ steps: steps.map((step) => v.parse(Step, step)) });
  const named = proposed.flatMap(({ path, read }) =>
    Object.entries(read).map(([name, value]) => [`${path} ${name}`, value]),
  );
  expect(named.length).toBeGreaterThan(70);
  expect({ failure, warnings, rows }).toEqual({
    failure: undefined,
    warnings: [],
    rows: [Object.fromEntries(named)],
  });
});

test.each(["a member of a graph", "microdata", "Open Graph"])(
  "details have these values, too: %s",
  async (name) => {
    const { path = "", fields, read } = proposed.find((one) => one.name === name) ?? {};
    site.setRoute(`${path}/list`, `<ul><li><a href="${path}">Lamp</a></li></ul>`);
    const list = v.parse(Step, {
      type: "get_list",
      selector: "li",
      fields: [{ name: "link", selector: "a", attribute: "href" }],
      details: { url_field: "link", fields },
    });
    const told = await engine.run({ steps: [visit(`${path}/list`), list], engine: "auto" });
    expect(told).toMatchObject({
      failure: undefined,
      warnings: [],
      rows: [{ link: site.url(path), ...read }],
    });
  },
);
