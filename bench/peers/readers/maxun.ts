import cssToXPath from "csstoxpath";
import maxun from "maxun-core";
import { chromium } from "playwright-core";
import type { Row } from "../../../functions/contract/runs/run.ts";
import { type Peer, plainList, urlOf, withBrowser } from "../../truth/peer.ts";
import peers from "../package.json" with { type: "json" };

const PAGINATION: Record<string, string> = {
  next_button: "clickNext",
  load_more: "clickLoadMore",
  infinite_scroll: "scrollDown",
};
/** More rows than any task has. */
const ROWS_MAX = 10_000;

/**
 * The XPath of a selector: Maxun's recorder writes XPath, and its interpreter reads tables by CSS in another way. A cell is the
 * second of its kind rather than the second child. Undefined if the selector can't be written so.
 */
function xPathOf(selector: string): string | undefined {
  try {
    return cssToXPath(selector.replaceAll(":nth-child(", ":nth-of-type("));
  } catch {
    return undefined;
  }
}

/**
 * The interpreter of Maxun, with a workflow as its recorder makes it: the path of a field begins with the path of its row. Left
 * out are tasks that need actions before the list, and rows that are read as a whole.
 */
export const peer: Peer = {
  name: "Maxun's interpreter",
  version: peers.dependencies["maxun-core"],
  can(task) {
    const list = plainList(task);
    const selectors = [list?.selector, ...(list?.fields ?? []).map(({ selector }) => selector)];
    const isPlain = selectors.every((selector) => selector !== undefined && xPathOf(selector) !== undefined);
    return isPlain && task.pagination?.type !== "url_template";
  },
  read(task, place) {
    const list = plainList(task);
    if (!list) throw new Error("It has no plain list.");
    return withBrowser(chromium, place, async (browser) => {
      const url = urlOf(task, place);
      const type = PAGINATION[task.pagination?.type ?? ""];
      const row = xPathOf(list.selector ?? "") ?? "";
      const asked = {
        listSelector: row,
        fields: Object.fromEntries(
          list.fields.map(({ name, selector = "", attribute = "innerText" }) => [
            name,
            { selector: row + xPathOf(selector), attribute, tag: "", isShadow: false },
          ]),
        ),
        limit: ROWS_MAX,
        ...(type && { pagination: { type, selector: place.control ?? "" } }),
      };
      let rows: readonly Row[] = [];
      const workflow = [
        { where: { url }, what: [{ action: "scrapeList" as const, args: [asked] }] },
        { where: { url: "about:blank" }, what: [{ action: "goto" as const, args: [url] }] },
      ];
      const interpreter = new maxun.default(
        { workflow },
        {
          serializableCallback: ({ scrapeList }: { scrapeList: Record<string, Row[]> }) => {
            rows = Object.values(scrapeList).flat();
          },
        },
      );
      await interpreter.run(await (await browser.newContext()).newPage());
      return { rows };
    });
  },
};
