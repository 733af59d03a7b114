import { compile, selectAll, selectOne } from "css-select";
import { textContent } from "domutils";
import { parseDocument } from "htmlparser2";
import { abreast } from "../../contest/abreast.ts";
import type { Contestant, Task } from "../../contest/contestant.ts";
import { LIST_PAGES } from "../../engine/shop-site.ts";
import type { Workload } from "../../engine/workloads.ts";

type Rows = Record<string, string>[];
type Fields = Workload["list"]["fields"];
type Document = ReturnType<typeof parseDocument>;
type Node = Document["children"][number];
type Element = Extract<Node, { attribs: object }>;

/** Requests side by side, where the addresses are known. */
const SIDE_BY_SIDE = 4;

/**
 * `fetch` and a parser, written by hand for these very pages. Where a script of the page loads more rows, it knows the addresses
 * that the script would request.
 */
export const contestant: Contestant = {
  async run(task) {
    const rows = await abreast(task.workload.runs, () => read(task));
    await task.done(rows.flat());
  },
};

async function read({ workload, origin }: Task): Promise<Rows> {
  const { list, pagination } = workload;
  const url = origin + workload.path;
  if (pagination.type === "next_button") {
    const rows: Rows = [];
    const nextOf = compile<Node, Element>(".pagination__next");
    for (let next: string | undefined = url; next; ) {
      const document = await load(next);
      rows.push(...rowsOf(document, list.selector, list.fields, url));
      const href: string | undefined = selectOne<Node, Element>(nextOf, document.children)?.attribs.href;
      next = href && new URL(href, next).href;
    }
    return rows;
  }
  if (pagination.type === "load_more" || pagination.type === "infinite_scroll") {
    const addressOf = (place: number) => (place === 0 ? url : `${origin}/fragment?page=${place + 1}`);
    const pages = await abreast(
      LIST_PAGES,
      async (place) => rowsOf(await load(addressOf(place)), list.selector, list.fields, url),
      SIDE_BY_SIDE,
    );
    return pages.flat();
  }
  const rows = rowsOf(await load(url), list.selector, list.fields, url);
  const { details } = list;
  if (details === undefined) return rows;
  return abreast(
    rows.length,
    async (place) => {
      const document = await load(rows[place]?.url ?? "");
      return { ...rows[place], ...rowsOf(document, "body", details.fields, url)[0] };
    },
    SIDE_BY_SIDE,
  );
}

const load = async (url: string): Promise<Document> => parseDocument(await (await fetch(url)).text());

function rowsOf(document: Document, selector: string, fields: Fields, base: string): Rows {
  const columns = fields.map(({ name, selector: cell = "*", attribute }) => ({
    name,
    attribute,
    cell: compile<Node, Element>(cell),
  }));
  return selectAll<Node, Element>(selector, document.children).map((element) => {
    const row: Record<string, string> = {};
    for (const { name, cell, attribute } of columns) {
      const found = selectOne<Node, Element>(cell, element.children);
      if (found === null) continue;
      row[name] =
        attribute === "href"
          ? new URL(found.attribs.href ?? "", base).href
          : textContent(found).replace(/\s+/g, " ").trim();
    }
    return row;
  });
}
