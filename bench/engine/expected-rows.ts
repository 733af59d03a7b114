import type { Row } from "../../functions/contract/runs/run.ts";
import { finishOf, materialOf, nameOf, priceOf, ratingOf, weightOf } from "./shop-site.ts";
import type { Workload } from "./workloads.ts";

/** The rows that a person sees on the pages of a workload. */
export function expectedRows({ name, rows, runs }: Workload, origin: string): Row[] {
  const card = (n: number, path = "/item"): Row => ({
    title: nameOf(n),
    url: `${origin}${path}/${n}`,
    blurb: `A ${finishOf(n)} finish, made by hand in small numbers & sent in ${(n % 5) + 1} days.`,
    price: priceOf(n),
    rating: ratingOf(n),
  });
  const stock = (n: number): Row => ({
    sku: `SKU-${n}`,
    name: nameOf(n),
    price: priceOf(n),
    stock: `${n % 40} in stock`,
    place: `Aisle ${n % 30}, bay ${n % 7}`,
  });
  const detailed = (n: number, path?: string): Row => ({
    ...card(n, path),
    full_name: nameOf(n),
    material: materialOf(n),
    weight: weightOf(n),
  });
  const short = (n: number): Row => ({ name: nameOf(n), price: priceOf(n) });
  const rowOf: (n: number) => Row = {
    list: (n: number) => card(n),
    list_with_scripts: (n: number) => card(n),
    table: stock,
    load_more: (n: number) => card(n),
    infinite_scroll: (n: number) => card(n),
    details: (n: number) => detailed(n),
    slow_scroll: (n: number) => card(n),
    search: (n: number) => card(n),
    late_details: (n: number) => detailed(n, "/late"),
    one_page: short,
    short_runs: short,
  }[name];
  return Array.from({ length: rows * runs }, (_, n) => rowOf(n % rows));
}
