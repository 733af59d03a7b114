import type { Step } from "../steps/steps.ts";

/**
 * The fields that identify the rows of all lists of a scraper; undefined if a list has no key, lists have different ones, or
 * there are rows within rows, which share a key.
 */
export function upsertKeyOf(steps: readonly Step[]): string[] | undefined {
  const lists = steps.filter((step) => step.type === "get_list");
  const key = lists[0]?.key;
  const isCommon = lists.every(
    ({ key: own, fields, details }) =>
      JSON.stringify(own) === JSON.stringify(key) &&
      ![...fields, ...(details?.fields ?? [])].some(({ list }) => list !== undefined),
  );
  return isCommon && key !== undefined ? [...new Set(key)] : undefined;
}
