import { signal } from "@preact/signals";
import { api, type Run } from "../../api/api.ts";
import { hasStatus, isAbort } from "../../api/api-error.ts";

/** The known names of scrapers, by id. */
export const names = signal<ReadonlyMap<string, string>>(new Map());

/**
 * If more names than this are unknown, one request for the list of scrapers is sent before those for single scrapers.
 */
const FEW = 3;

/** Adds scrapers to the known names. */
export const noteNames = (known: readonly { id: string; name: string }[]): void => {
  if (known.every(({ id, name }) => names.value.get(id) === name)) return;
  names.value = new Map([...names.value, ...known.map(({ id, name }) => [id, name] as const)]);
};

/**
 * Looks up the unknown names of the scrapers of these runs, because a run has only the id. Ignores all errors except an
 * abort.
 */
export async function lookUpNames(
  runs: readonly Pick<Run, "scraper_id">[],
  abort: AbortSignal,
): Promise<void> {
  const unknown = () => [...new Set(runs.map((run) => run.scraper_id))].filter((id) => !names.value.has(id));
  try {
    if (unknown().length > FEW) noteNames((await api.listScrapers(1, abort)).data);
    await Promise.all(unknown().map((id) => lookUp(id, abort)));
  } catch (error) {
    // The runs can be shown without names.
    if (isAbort(error)) throw error;
  }
}

async function lookUp(id: string, abort: AbortSignal): Promise<void> {
  try {
    const { scraper } = await api.getScraper(id, abort);
    noteNames([scraper]);
  } catch (error) {
    if (!hasStatus(error, 404)) throw error;
    noteNames([{ id, name: "A deleted scraper" }]);
  }
}
