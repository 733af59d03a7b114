import * as v from "valibot";
import type { Scraper } from "../../contract/scrapers/scraper.ts";
import { beginningOf, counted, roomFor } from "../answer.ts";
import { jsonOf } from "../api-client.ts";
import { defineTool, idOf, whole } from "../tool.ts";

const ScraperId = idOf("scraper");

export const saveScraper = defineTool({
  name: "save_scraper",
  scope: "write",
  title: "Save a scraper",
  description:
    "Stores a definition as a new scraper. A definition with an `id` and the `version` that get_scraper returned replaces " +
    "that scraper, unless somebody has changed it since. Check the definition with check_scraper first.",
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  input: v.pipe(
    v.strictObject({
      definition: v.pipe(
        v.record(v.string(), v.unknown()),
        v.description("The definition, as you have checked it; check_scraper describes its fields."),
      ),
    }),
    v.check(
      ({ definition: { id } }) => id === undefined || v.is(ScraperId, id),
      "definition.id must be the id of a stored scraper; leave it out to store a new one",
    ),
    v.check(
      ({ definition: { id, version } }) => id === undefined || Number.isSafeInteger(version),
      "definition.version must be the version that get_scraper returned for this id, because it is what you replace",
    ),
  ),
  async run(call, { definition }) {
    const { id, version } = definition;
    const stored =
      id === undefined
        ? call("/v1/scrapers", { method: "POST", body: definition })
        : call(`/v1/scrapers/${id}`, {
            method: "PUT",
            body: definition,
            headers: { "if-match": `"${version}"` },
          });
    const scraper = await jsonOf<Scraper>(stored);
    return {
      summary: `${id === undefined ? "Saved" : "Replaced"} the scraper ${scraper.id}, version ${scraper.version}. Start it with start_run.`,
    };
  },
});

export const listScrapers = defineTool({
  name: "list_scrapers",
  scope: "read",
  title: "List scrapers",
  description: "Lists the account's scrapers, newest first, with their last runs.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.strictObject({ page: v.optional(whole(1, 1_000_000, "Page of the list, of 50 scrapers."), 1) }),
  async run(call, { page }) {
    const { data, next_page } = await jsonOf<{ data: Scraper[]; next_page: number | null }>(
      call("/v1/scrapers", { query: { page } }),
    );
    if (data.length === 0)
      return {
        summary:
          page === 1 ? "The account has no scrapers yet. inspect_page begins one." : "This page is empty.",
      };
    const more = next_page === null ? "" : ` There are more: call list_scrapers with page ${next_page}.`;
    const summary = `${counted(data.length, "scraper")}, newest first.${more}`;
    const lines = data.map(({ id, name, version, last_run, schedule }) =>
      JSON.stringify({ id, name, version, last_run, next_run: schedule?.next_run ?? null }),
    );
    return { summary, data: lines.join("\n") };
  },
});

export const getScraper = defineTool({
  name: "get_scraper",
  scope: "read",
  title: "Get a scraper",
  description:
    "Returns the definition of a scraper, with its version and its last run. Secrets appear as placeholders.",
  annotations: { readOnlyHint: true, openWorldHint: false },
  input: v.strictObject({
    scraper_id: ScraperId,
    offset: v.optional(
      whole(
        0,
        10_000_000,
        "Where to continue a definition that was cut: the offset that the last answer named.",
      ),
      0,
    ),
  }),
  async run(call, { scraper_id, offset }) {
    const scraper = await jsonOf<Scraper>(call(`/v1/scrapers/${scraper_id}`));
    const text = JSON.stringify(scraper).slice(offset);
    const whole = "The scraper as JSON. To change it, save the changed JSON with its id and version.";
    const cut = (end: number) =>
      `The scraper as JSON, characters ${offset} to ${end} of ${offset + text.length}. Call get_scraper with offset ${end} for the rest.`;
    if (text.length <= roomFor(whole)) return { summary: whole, data: text };
    const part = beginningOf(text, roomFor(cut(offset + text.length)));
    return { summary: cut(offset + part.length), data: part };
  },
});
