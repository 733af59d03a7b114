import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, type Run } from "../../api/api.ts";
import { hasStatus } from "../../api/api-error.ts";

/** The names of scrapers that were looked up. */
const names = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

export const noteName = (id: string, name: string): void => {
  if (names.value.get(id) !== name) names.value = new Map([...names.value, [id, name]]);
};

/** The names of the scrapers of these runs, which the runs themselves don't have. */
export function useNames(runs: readonly Pick<Run, "scraper_id">[]): ReadonlyMap<string, string> {
  const ids = [...new Set(runs.map(({ scraper_id }) => scraper_id))];
  useEffect(() => {
    for (const id of ids) if (!names.value.has(id) && !asked.has(id)) void lookUp(id);
  });
  return names.value;
}

async function lookUp(id: string): Promise<void> {
  asked.add(id);
  try {
    noteName(id, (await api.getScraper(id)).scraper.name);
  } catch (error) {
    if (hasStatus(error, 404)) noteName(id, "A deleted scraper");
    else asked.delete(id);
  }
}
