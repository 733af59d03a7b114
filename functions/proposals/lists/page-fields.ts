import type { JsonSource } from "../../contract/steps/json-source.ts";
import { jsonInScript } from "../../parse-json.ts";
import type { DeclaredValue, JsonText, Snapshot } from "../snapshot.ts";
import { isObject, keyOf, pathStep } from "./json-lists.ts";
import { type Kind, kindOfAll } from "./kinds.ts";

/** Values of the thing that a page is about, which the page states for search engines and social networks. */

/** A field that can be pasted into `details.fields`, and the value that it has on this page. */
export interface PageField {
  name: string;
  selector?: string;
  attribute?: string;
  json?: JsonSource;
  /** False if the first of several values counts. */
  all?: false;
  transform?: { type: "absolute" }[];
  kind: Kind;
  samples: string[];
}

interface Wanted {
  name: string;
  /** Properties of schema.org, in the order of preference. A property of a property follows a slash. */
  properties: readonly string[];
  /** The names of meta elements. */
  metas?: readonly string[];
  /** Whether the first of several different values is as good as any. */
  isFirst?: boolean;
}

const TITLES = ["name", "headline", "title"];
const WANTED: readonly Wanted[] = [
  { name: "title", properties: TITLES, metas: ["og:title", "twitter:title"] },
  {
    name: "price",
    properties: ["offers/price", "offers/priceSpecification/price"],
    metas: ["product:price:amount", "og:price:amount"],
  },
  { name: "low_price", properties: ["offers/lowPrice"] },
  {
    name: "currency",
    properties: ["offers/priceCurrency", "offers/priceSpecification/priceCurrency"],
    metas: ["product:price:currency", "og:price:currency"],
  },
  {
    name: "availability",
    properties: ["offers/availability"],
    metas: ["product:availability", "og:availability"],
  },
  {
    name: "image",
    properties: ["image", "image/url", "image/contentUrl"],
    metas: ["og:image", "og:image:url", "og:image:secure_url", "twitter:image"],
    isFirst: true,
  },
  {
    name: "date",
    properties: ["datePublished", "startDate", "datePosted", "uploadDate"],
    metas: ["article:published_time", "og:published_time", "date"],
  },
];

const SAMPLE_MAX = 200;
/** Types of what surrounds the thing that a page is about. */
const FURNITURE =
  /(?:Page|List|Organization|Action|Element)$|^(?:WebSite|Corporation|ImageObject|Person|WP[A-Z]\w+)$/;
/** Types that an XPath and a JSONPath can name without quotes inside. */
const TYPE = /^[\w:/.#-]+$/;
/** The most items of a text that are looked at. Those of one place that are more are a list. */
const ITEMS_MAX = 50;

type Place = Pick<PageField, "selector" | "attribute" | "json">;
/** The different values that a page has at a place, and how many there are, with equal ones. */
type Found = Place & { values: readonly string[]; count: number };
/** The value of one property or meta element; undefined if there is none. */
type Find = (name: string) => Found | undefined;

/** The fields of a page: for each source the values that those before it do not have. */
export function pageFieldsOf({ json = [], declared = [], base }: Snapshot): PageField[] {
  const linked = json.filter(({ isLinkedData }) => isLinkedData);
  const metas = new Map(
    declared.flatMap((one) => (one.meta === undefined ? [] : [[one.meta, one] as const])),
  );
  const sources: [suffix: string, names: "properties" | "metas", find: Find][] = [
    ["json", "properties", bestOf(linkedItems(linked))],
    ["microdata", "properties", bestOf(microdataItems(declared))],
    ["meta", "metas", (name) => metas.get(name)],
  ];
  return WANTED.flatMap((wanted) => {
    const known = new Set<string>();
    return sources.flatMap(([suffix, names, find]): PageField[] => {
      const found = foundFor(wanted, wanted[names] ?? [], find);
      const [value] = found?.values ?? [];
      if (!found || value === undefined || known.has(keyOf(value, base))) return [];
      const name = known.size === 0 ? wanted.name : `${wanted.name}_${suffix}`;
      known.add(keyOf(value, base));
      return [fieldOf(name, found, wanted)];
    });
  });
}

function fieldOf(
  name: string,
  { values, count, selector, attribute, json }: Found,
  { isFirst }: Wanted,
): PageField {
  const value = values[0] as string;
  return {
    name,
    ...(selector !== undefined && { selector }),
    ...(attribute !== undefined && { attribute }),
    ...(json && { json }),
    ...(count > 1 && { all: false as const }),
    ...(isFirst && !URL.canParse(value) && { transform: [{ type: "absolute" as const }] }),
    kind: isFirst ? "image" : kindOfAll([value]),
    samples: [value.slice(0, SAMPLE_MAX)],
  };
}

/** What the first of some names has. Several values that differ are those of several things, such as sizes. */
function foundFor({ isFirst }: Wanted, names: readonly string[], find: Find): Found | undefined {
  for (const name of names) {
    const found = find(name);
    if (found && (found.values.length === 1 || (isFirst && found.values.length > 0))) return found;
  }
  return undefined;
}

/** Of several kinds of items, the one with most of the wanted fields. */
function bestOf(items: readonly Find[]): Find {
  const rated = items.filter(isOneThing).map((find) => ({
    find,
    count: WANTED.filter((wanted) => foundFor(wanted, wanted.properties, find)).length,
  }));
  const best = rated.reduce((most, one) => (one.count > most.count ? one : most), {
    find: (() => undefined) as Find,
    count: 0,
  });
  return best.find;
}

/** Whether an item has one title at most. Others are the items of a list. */
const isOneThing = (find: Find): boolean =>
  TITLES.every((property) => (find(property)?.values.length ?? 0) <= 1);

function microdataItems(declared: readonly DeclaredValue[]): Find[] {
  const byType = Map.groupBy(declared, ({ type }) => type);
  return [...byType].flatMap(([type, values]): Find[] => {
    if (type === undefined || FURNITURE.test(shortType(type))) return [];
    return [(name) => values.find(({ property }) => property === name)];
  });
}

const shortType = (type: string): string => type.slice(type.search(/[^/#]*$/));

/** A step of a JSONPath. */
interface PathStep {
  text: string;
  take: (value: unknown) => unknown[];
}

const key = (name: string): PathStep => ({
  text: pathStep(name),
  take: (value) => (isObject(value) && Object.hasOwn(value, name) ? [value[name]] : []),
});
const members = (value: unknown): unknown[] =>
  typeof value === "object" && value !== null ? Object.values(value) : [];
const each: PathStep = { text: "[*]", take: members };
const ofType = (type: string, isOne: boolean): PathStep => ({
  text: isOne ? `[?@['@type']=='${type}']` : `[?@['@type'][?@=='${type}']]`,
  take: (value) =>
    members(value).filter((member) => {
      const types = isObject(member) ? member["@type"] : undefined;
      return isOne ? types === type : members(types).includes(type);
    }),
});

const valuesAt = (value: unknown, path: readonly PathStep[]): unknown[] =>
  path.reduce<unknown[]>((values, { take }) => values.flatMap(take), [value]);

/** The items of JSON-LD: whole texts, members of their list or of their `@graph`, and what a page is about. */
function linkedItems(texts: readonly JsonText[]): Find[] {
  const roots = texts.flatMap(({ text }) => rootOf(text) ?? []);
  const found = roots.flatMap(({ value }) =>
    [
      [],
      [each],
      [key("@graph"), each],
      [key("mainEntity")],
      [key("@graph"), each, key("mainEntity")],
    ].flatMap((place) =>
      valuesAt(value, place)
        .slice(0, ITEMS_MAX)
        .flatMap((item) => (isObject(item) ? typesOf(item).map((type) => ({ place, type, item })) : [])),
    ),
  );
  const items = new Map<string, Find>();
  for (const { place, type, item } of found) {
    if (!TYPE.test(type) || FURNITURE.test(shortType(type))) continue;
    const filter = ofType(type, typeof item["@type"] === "string");
    const path = place.map((step) => (step === each && step === place.at(-1) ? filter : step));
    const json = {
      source: `xpath=//script[@type='application/ld+json'][contains(., '"${type}"')]`,
      path: textOf(path),
    };
    const same = roots.filter(({ text }) => text.includes(`"${type}"`));
    const starts = same.flatMap(({ value }) => valuesAt(value, path));
    if (starts.length > ITEMS_MAX) continue;
    items.set(`${type} ${json.path}`, (property) => {
      for (const steps of variantsOf(property)) {
        const values = starts.flatMap((start) => valuesAt(start, steps)).flatMap(scalar);
        const found = { values: [...new Set(values)], count: values.length };
        if (values.length > 0) return { json: { ...json, path: textOf([...path, ...steps]) }, ...found };
      }
      return undefined;
    });
  }
  return [...items.values()];
}

const textOf = (path: readonly PathStep[]): string => `$${path.map(({ text }) => text).join("")}`;
const scalar = (value: unknown): string[] =>
  typeof value === "number" || (typeof value === "string" && value.trim() !== "") ? [String(value)] : [];
const typesOf = ({ "@type": type }: Record<string, unknown>): string[] =>
  [type].flat().filter((one) => typeof one === "string");

/** The paths to a property, each part of which may have one value or a list. */
const variantsOf = (property: string): PathStep[][] =>
  property.split("/").reduce<PathStep[][]>(
    (paths, name) =>
      paths.flatMap((path) => [
        [...path, key(name)],
        [...path, key(name), each],
      ]),
    [[]],
  );

function rootOf(text: string): { text: string; value: unknown } | undefined {
  try {
    return { text, value: jsonInScript(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
