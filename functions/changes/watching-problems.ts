import type { Browsing } from "../contract/scrapers/scraper.ts";
import type { Step } from "../contract/steps/steps.ts";
import type { Problem } from "../contract/validate.ts";
import { columnsOf } from "../rows/columns.ts";
import { keyedListsOf } from "./keys.ts";

/** What `only_new`, `expect` and `ignore` of a scraper need and its steps lack. */
export function watchingProblems(
  steps: readonly Step[],
  {
    only_new,
    expect,
    inputs,
    inputs_from,
  }: Pick<Browsing, "only_new" | "expect"> & { inputs?: unknown; inputs_from?: unknown },
): Problem[] {
  const problems: Problem[] = [];
  if (only_new && (inputs !== undefined || inputs_from !== undefined))
    problems.push({
      path: "only_new",
      message: "has no effect on runs of batches, and the scraper has inputs",
    });
  if (only_new && keyedListsOf(steps).length === 0)
    problems.push({
      path: "only_new",
      message: "requires a list with a key, by which its rows are recognized",
    });
  for (const { key, fields } of only_new ? keyedListsOf(steps) : [])
    for (const { name, transform } of fields)
      if (transform && key.includes(name))
        problems.push({
          path: "only_new",
          message: `requires a key without transforms, because rows are left out before their values are transformed; "${name}" has one`,
        });
  const fields = columnsOf(steps);
  for (const name of Object.keys(expect?.filled ?? {}))
    if (!fields.includes(name))
      problems.push({ path: "expect.filled", message: `no step reads the field "${name}"` });
  for (const [index, step] of steps.entries()) {
    if (step.type !== "get_list") continue;
    const own = columnsOf([step]).filter((name) => !step.key?.includes(name));
    for (const name of step.ignore ?? [])
      if (step.key === undefined || !own.includes(name))
        problems.push({
          path: `steps[${index}].ignore`,
          message: `requires a key, and names fields of the list that are not part of it; "${name}" is none`,
        });
  }
  return problems;
}
