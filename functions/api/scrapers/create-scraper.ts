import { readDefinition } from "../../scrapers/definition.ts";
import { createScraper as create } from "../../scrapers/store-scraper.ts";
import { idempotencyKeyOf, notCreated } from "../idempotency-key.ts";
import { fieldsOf } from "../runs/fields-of.ts";
import type { ApiHandler } from "../types.ts";
import { etagOf } from "./etag.ts";
import { addressProblems } from "./webhook-problems.ts";

export const createScraper: ApiHandler<"createScraper"> = async ({ account, body, headers }, deps) => {
  const idempotencyKey = idempotencyKeyOf(headers);
  const definition = readDefinition(body, [
    ...addressProblems(body, deps),
    ...(fieldsOf(body).id === undefined ? [] : [idGiven]),
  ]);
  const result = await create(deps, { account, definition, idempotencyKey });
  if (result.outcome !== "stored") throw notCreated("scraper", result.outcome);
  const { id, version } = result.scraper;
  return { json: result.scraper, headers: { location: `/v1/scrapers/${id}`, etag: etagOf(version) } };
};

const idGiven = {
  path: "id",
  message:
    "must be left out: the service gives a new scraper its id. To replace a scraper, use PUT /v1/scrapers/{id}",
};
