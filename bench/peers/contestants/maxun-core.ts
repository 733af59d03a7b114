import maxun from "maxun-core";
import { chromium } from "playwright-core";
import type { Contestant, ContestRow, Task } from "../../contest/contestant.ts";
import { SCRIPT_ARGS } from "../../engine/scripts.ts";
import type { Workload } from "../../engine/workloads.ts";

const PAGINATION = {
  none: "",
  next_button: "clickNext",
  load_more: "clickLoadMore",
  infinite_scroll: "scrollDown",
};

/** The interpreter of Maxun, with a workflow as its recorder makes it. */
export const contestant: Contestant = {
  async run(task) {
    const browser = await task.start(() => chromium.launch({ ...task.chromium, args: SCRIPT_ARGS }));
    try {
      const page = await (await browser.newContext()).newPage();
      let rows: readonly ContestRow[] = [];
      const interpreter = new maxun.default(workflowOf(task), {
        serializableCallback: ({ scrapeList }: { scrapeList: Record<string, ContestRow[]> }) => {
          rows = Object.values(scrapeList).flat();
        },
      });
      await interpreter.run(page);
      await task.done(rows);
    } finally {
      await browser.close();
    }
  },
};

function workflowOf({ workload, origin }: Task) {
  const url = origin + workload.path;
  return {
    workflow: [
      { where: { url }, what: [{ action: "scrapeList" as const, args: [listOf(workload)] }] },
      { where: { url: "about:blank" }, what: [{ action: "goto" as const, args: [url] }] },
    ],
  };
}

function listOf({ name, list, pagination, rows }: Workload) {
  const type = PAGINATION[pagination.type as keyof typeof PAGINATION];
  const isTable = name === "table";
  const selector = "selector" in pagination ? pagination.selector : "";
  return {
    // It takes the rows of a table by itself, with the selectors that its recorder gives to cells.
    listSelector: isTable ? ".stock" : list.selector,
    fields: Object.fromEntries(
      list.fields.map(({ name, selector: cell, attribute = "innerText" }, index) => [
        name,
        { selector: isTable ? `td:nth-child(${index + 1})` : cell, attribute, tag: "", isShadow: false },
      ]),
    ),
    limit: rows,
    ...(type && { pagination: { type, selector } }),
  };
}
