import { readDefinition } from "../../scrapers/definition.ts";
import { replaceScraper as replace } from "../../scrapers/store-scraper.ts";
import { HttpError, notFound } from "../http-error.ts";
import { fieldsOf } from "../runs/fields-of.ts";
import type { ApiHandler } from "../types.ts";
import { etagOf, ifMatch } from "./etag.ts";
import { addressProblems } from "./webhook-problems.ts";

export const replaceScraper: ApiHandler<"replaceScraper"> = async ({ account, id, body, headers }, deps) => {
  const versions = ifMatch(headers["if-match"]);
  const given = fieldsOf(body).id;
  const definition = readDefinition(body, [
    ...addressProblems(body, deps),
    ...(given === undefined || given === id ? [] : [otherId]),
  ]);
  const result = await replace(deps, { account, id, definition, versions });
  switch (result.outcome) {
    case "stored":
      return { json: result.scraper, headers: { etag: etagOf(result.scraper.version) } };
    case "unknown_scraper":
      throw notFound("scraper");
    case "changed":
      throw new HttpError(
        412,
        "The scraper has changed since you retrieved it. Retrieve it again, and repeat your change.",
      );
  }
};

const otherId = { path: "id", message: "must be the id in the path, or left out" };
