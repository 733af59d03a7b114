import type { Row } from "../../../functions/contract/runs/run.ts";
import type { JsonSource } from "../../../functions/contract/steps/json-source.ts";
import type { ListField, Step } from "../../../functions/contract/steps/steps.ts";
import type { Handler } from "../../site/site.ts";
import { type Page, type Pages, visit } from "../page.ts";

/*
 * Pages in the shapes of well-known frameworks and services. Each shows its rows as elements, which a first list reads, and
 * carries them as JSON, which a second one reads: both must have the same rows. Where they can't, `jsonRows` are the difference.
 */

interface Goods {
  id: number;
  name: string;
  price: string;
}

const GOODS: readonly Goods[] = [
  { id: 7, name: "Lamp", price: "19.99" },
  { id: 8, name: "Chair & table", price: "120" },
  { id: 9, name: "Ölkanne “klein”", price: "7.5" },
];
const rowsOf = (goods: readonly Goods[] = GOODS): Row[] => goods.map(({ name, price }) => ({ name, price }));

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const card = ({ name, price }: Goods) => `<li class=item><b>${escaped(name)}</b> <i>${price}</i></li>`;
const shown = (goods: readonly Goods[] = GOODS) => `<ul>${goods.map(card).join("")}</ul>`;
const elements: Step = {
  type: "get_list",
  selector: ".item",
  fields: [
    { name: "name", selector: "b" },
    { name: "price", selector: "i" },
  ],
};
/** The paths of the name and the price. */
type Paths = [name: string, price: string];
const jsonList = (json: JsonSource, [name, price]: Paths, more: object = {}): Step => ({
  type: "get_list",
  json,
  fields: [
    { name: "name", path: name },
    { name: "price", path: price },
  ] satisfies ListField[],
  ...more,
});

interface Carried {
  json: JsonSource;
  paths?: Paths;
  jsonRows?: Row[];
}
const both = ({ json, paths = ["$.name", "$.price"], jsonRows = rowsOf() }: Carried, page: Page): Page => ({
  steps: [visit(), elements, jsonList(json, paths)],
  rows: [...rowsOf(), ...jsonRows],
  ...page,
});

const text = (value: unknown) => JSON.stringify(value).replaceAll("<", "\\u003c");
const script = (attributes: string, content: string) => `<script ${attributes}>${content}</script>`;
/** A page whose markup has JSON in a script. */
const inScript = (attributes: string, content: string, carried: Omit<Carried, "json"> & JsonSource): Page => {
  const { source, path, ...more } = carried;
  return both({ json: { source, path }, ...more }, { html: shown() + script(attributes, content) });
};
const send =
  (body: string): Handler =>
  (_, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end(body);
/** A page that requests JSON, and renders its rows by a script. */
const requested = (
  url: string,
  body: unknown,
  {
    path,
    paths,
    jsonRows,
    init = "{}",
  }: Pick<Carried, "paths" | "jsonRows"> & { path: string; init?: string },
): Page =>
  both(
    {
      json: { source: `response:*${url.split("?")[0]}*`, path },
      ...(paths && { paths }),
      ...(jsonRows && { jsonRows }),
    },
    {
      html: `<main></main><script>fetch(${JSON.stringify(url)}, ${init}).then((response) => response.text()).then(() => {
  document.querySelector("main").innerHTML = ${JSON.stringify(shown())};
});</script>`,
      routes: { [url.split("?")[0] ?? ""]: send(typeof body === "string" ? body : JSON.stringify(body)) },
    },
  );
const numbered = GOODS.map(({ id, name, price }) => ({ id, name, price: Number(price) }));
const cents = GOODS.map((goods) => ({ ...goods, price: Math.round(Number(goods.price) * 100) }));
const inCents = cents.map(({ name, price }) => ({ name, price: `${price}` }));
const keyed = Object.fromEntries(numbered.map((goods) => [`Product:${goods.id}`, goods]));

/** The pages of a list that the Next.js router loads as JSON. */
const nextPages = [GOODS.slice(0, 2), GOODS.slice(2)] as const;
const nextData = (goods: readonly Goods[]) => ({ pageProps: { products: goods } });

export default {
  "Next.js, pages router": inScript(
    'id="__NEXT_DATA__" type="application/json"',
    text({ props: { pageProps: { products: numbered } }, page: "/products", query: {}, buildId: "x" }),
    { source: "script#__NEXT_DATA__", path: "$.props.pageProps.products[*]" },
  ),
  "Next.js, pages that the router loads": {
    html: `<main></main><button>Next</button><script>
let page = 0;
const load = async () => {
  const response = await fetch("/_next/data/x/products.json?page=" + ++page);
  const { pageProps } = await response.json();
  document.querySelector("main").innerHTML = pageProps.html;
  document.querySelector("button").disabled = page === 2;
};
document.querySelector("button").onclick = load;
load();
</script>`,
    routes: {
      "/_next/data/x/products.json": ({ url = "" }, response) => {
        const goods = nextPages[Number(new URL(url, "http://x").searchParams.get("page")) - 1] ?? [];
        const { pageProps } = nextData(goods);
        response
          .writeHead(200, { "content-type": "application/json" })
          .end(JSON.stringify({ pageProps: { ...pageProps, html: shown(goods) } }));
      },
    },
    steps: [
      visit(),
      elements,
      jsonList({ source: "response:*/_next/data/*", path: "$.pageProps.products[*]" }, ["$.name", "$.price"]),
    ],
    pagination: { type: "next_button", field_name: "Next" },
    rows: [...rowsOf(nextPages[0]), ...rowsOf()],
  },
  // Its data are parts of calls, in a form of their own.
  "Next.js, app router": {
    html: `${shown()}<script>(self.__next_f=self.__next_f||[]).push([0])</script><script>self.__next_f.push([1,${text(
      `5:["$","ul",null,{"products":${JSON.stringify(numbered)}}]\n`,
    )}])</script>`,
    steps: [
      visit(),
      elements,
      jsonList({ source: "script", path: "$..products[*]" }, ["$.name", "$.price"], { timeout_ms: 100 }),
    ],
    rows: rowsOf(),
    failure: { code: "element_not_found", message: "What script holds" },
  },
  "Nuxt 2": inScript("", `window.__NUXT__=${text({ layout: "default", data: [{ products: numbered }] })};`, {
    source: "xpath=//script[contains(., '__NUXT__')]",
    path: "$.data[0].products[*]",
  }),
  // Its values are numbers of other values.
  "Nuxt 3": inScript(
    'type="application/json" id="__NUXT_DATA__"',
    text([{ data: 1 }, { products: 2 }, [3], { name: 4, price: 5 }, "Lamp", "19.99"]),
    { source: "#__NUXT_DATA__", path: "$[?@.name]", jsonRows: [{ name: "4", price: "5" }] },
  ),
  "JSON-LD, a list of items": inScript(
    'type="application/ld+json"',
    text({
      "@context": "https://schema.org",
      "@type": "ItemList",
      itemListElement: GOODS.map(({ name, price }, index) => ({
        "@type": "ListItem",
        position: index + 1,
        item: { "@type": "Product", name, offers: { "@type": "Offer", price, priceCurrency: "EUR" } },
      })),
    }),
    {
      source: 'script[type="application/ld+json"]',
      path: "$.itemListElement[*].item",
      paths: ["$.name", "$.offers.price"],
    },
  ),
  "JSON-LD, a graph": inScript(
    'type="application/ld+json"',
    text({
      "@context": "https://schema.org",
      "@graph": [
        { "@type": "WebSite", name: "Shop" },
        ...GOODS.map(({ name, price }) => ({
          "@type": "Product",
          name,
          offers: [{ price }, { price: "1" }],
        })),
      ],
    }),
    {
      source: 'script[type="application/ld+json"]',
      path: "$['@graph'][?@['@type'] == 'Product']",
      paths: ["$.name", "$.offers[0].price"],
    },
  ),
  "JSON-LD, one script for each row": both(
    {
      json: { source: 'script[type="application/ld+json"]', path: "$[?@.price].price" },
      paths: ["$.itemOffered.name", "$.amount"],
      jsonRows: rowsOf(),
    },
    {
      html:
        shown() +
        GOODS.map(({ name, price }) =>
          script(
            'type="application/ld+json"',
            text({ offer: { price: { itemOffered: { name }, amount: price } } }),
          ),
        ).join(""),
    },
  ),
  "Shopify, a collection": requested(
    "/collections/all/products.json?limit=3",
    { products: GOODS.map(({ id, name, price }) => ({ id, title: name, variants: [{ price }] })) },
    { path: "$.products[*]", paths: ["$.title", "$.variants[0].price"] },
  ),
  // Its prices are in cents.
  "Shopify, what its analytics know": inScript(
    "",
    `window.ShopifyAnalytics = window.ShopifyAnalytics || {};
window.ShopifyAnalytics.meta = window.ShopifyAnalytics.meta || {};
var meta = ${text({ products: cents, page: { pageType: "collection" } })};
for (var attr in meta) { window.ShopifyAnalytics.meta[attr] = meta[attr]; }`,
    { source: "xpath=//script[contains(., 'ShopifyAnalytics')]", path: "$.products[*]", jsonRows: inCents },
  ),
  // Its titles are HTML.
  "WordPress, posts": requested(
    "/wp-json/wp/v2/posts?per_page=3",
    GOODS.map(({ id, name, price }) => ({ id, title: { rendered: escaped(name) }, acf: { price } })),
    {
      path: "$[*]",
      paths: ["$.title.rendered", "$.acf.price"],
      jsonRows: GOODS.map(({ name, price }) => ({ name: escaped(name), price })),
    },
  ),
  // Its prices are in minor units.
  WooCommerce: requested(
    "/wp-json/wc/store/v1/products",
    cents.map(({ id, name, price }) => ({ id, name, prices: { price: `${price}`, currency_minor_unit: 2 } })),
    { path: "$[*]", paths: ["$.name", "$.prices.price"], jsonRows: inCents },
  ),
  Algolia: requested(
    "/1/indexes/*/queries",
    {
      results: [{ hits: GOODS.map((goods) => ({ ...goods, objectID: `${goods.id}` })), nbHits: 3, page: 0 }],
    },
    { path: "$.results[0].hits[*]", init: '{ method: "POST", body: "{}" }' },
  ),
  GraphQL: requested(
    "/graphql",
    { data: { products: { edges: GOODS.map((node) => ({ node, cursor: `${node.id}` })) } } },
    { path: "$.data.products.edges[*].node", init: '{ method: "POST", body: "{}" }' },
  ),
  Apollo: inScript(
    "",
    `window.__APOLLO_STATE__=${text({ ROOT_QUERY: { __typename: "Query" }, ...keyed })};`,
    { source: "xpath=//script[contains(., '__APOLLO_STATE__')]", path: "$[?@.id]" },
  ),
  Redux: inScript("", `window.__PRELOADED_STATE__ = ${text({ entities: { products: { byId: keyed } } })}`, {
    source: "xpath=//script[contains(., '__PRELOADED_STATE__')]",
    path: "$.entities.products.byId.*",
  }),
  Inertia: both(
    { json: { source: "xpath=//*[@id='app']/@data-page", path: "$.props.products.data[*]" } },
    {
      html: `<div id=app data-page="${escaped(JSON.stringify({ component: "Products", props: { products: { data: numbered } } }))}">${shown()}</div>`,
    },
  ),
  Remix: inScript(
    "",
    `window.__remixContext = ${text({ state: { loaderData: { "routes/products": { products: numbered } } } })};`,
    {
      source: "xpath=//script[contains(., '__remixContext')]",
      path: "$.state.loaderData['routes/products'].products[*]",
    },
  ),
  Gatsby: requested(
    "/page-data/products/page-data.json",
    { result: { data: { allProduct: { nodes: numbered } } } },
    { path: "$.result.data.allProduct.nodes[*]" },
  ),
  "React on Rails": inScript(
    'type="application/json" class="js-react-on-rails-component" data-component-name="Products"',
    text({ products: numbered }),
    { source: ".js-react-on-rails-component", path: "$.products[*]" },
  ),
  "Angular, its transfer state": inScript(
    'id="ng-state" type="application/json"',
    text({ "1234567": { b: { items: numbered }, s: 200, u: "/api/items" } }),
    { source: "#ng-state", path: "$.*.b.items[*]" },
  ),
  Drupal: inScript(
    'type="application/json" data-drupal-selector="drupal-settings-json"',
    text({ path: { baseUrl: "/" }, shop: { products: keyed } }),
    { source: "[data-drupal-selector='drupal-settings-json']", path: "$.shop.products.*" },
  ),
  Magento: inScript(
    'type="text/x-magento-init"',
    text({ "*": { "Magento_Catalog/js/list": { products: numbered } } }),
    { source: 'script[type="text/x-magento-init"]', path: "$['*']['Magento_Catalog/js/list'].products[*]" },
  ),
  // Its data are a text within the JSON.
  SvelteKit: {
    html:
      shown() +
      script(
        'type="application/json" data-sveltekit-fetched',
        text({ status: 200, body: text({ items: numbered }) }),
      ),
    steps: [
      visit(),
      elements,
      jsonList({ source: "[data-sveltekit-fetched]", path: "$.body.items[*]" }, ["$.name", "$.price"], {
        timeout_ms: 100,
      }),
    ],
    rows: rowsOf(),
    failure: "element_not_found",
  },
  Elasticsearch: requested(
    "/search/_search",
    { hits: { total: { value: 3 }, hits: GOODS.map((_source) => ({ _id: `${_source.id}`, _source })) } },
    { path: "$.hits.hits[*]._source", init: '{ method: "POST", body: "{}" }' },
  ),
  OData: requested("/odata/Products?$top=3", { "@odata.count": 3, value: numbered }, { path: "$.value[*]" }),
  "JSON:API": requested(
    "/api/products",
    {
      data: GOODS.map(({ id, name, price }) => ({
        type: "products",
        id: `${id}`,
        attributes: { name, price },
      })),
    },
    { path: "$.data[*].attributes" },
  ),
  "a response that no other site can run": requested(
    "/_/data/batch",
    `)]}'\n${JSON.stringify([["items", numbered]])}`,
    { path: "$[0][1][*]" },
  ),
  "a video site": inScript(
    "",
    `var ytInitialData = ${text({ contents: { list: GOODS.map(({ name, price }) => ({ renderer: { title: { runs: [{ text: name }] }, price } })) } })};if (window.go) { go() }`,
    {
      source: "xpath=//script[contains(., 'ytInitialData')]",
      path: "$..renderer",
      paths: ["$.title.runs[*].text", "$.price"],
    },
  ),
} satisfies Pages;
