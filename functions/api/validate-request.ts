import type * as v from "valibot";
import { nearMisses } from "../contract/near-misses.ts";
import type { Route } from "../contract/route.ts";
import { ValidationError, validate } from "../contract/validate.ts";
import type { ApiMiddleware } from "./types.ts";

/**
 * A middleware that validates the query of a request with the schema of the route. It throws a ValidationError, also
 * for parameters that look misspelled.
 */
export function validateQuery({ query }: Route): ApiMiddleware {
  return {
    before: ({ event }) => {
      if (query === undefined) return;
      const given = event.queryStringParameters ?? {};
      const problems = nearMisses(given, Object.keys(query.entries));
      if (problems.length > 0) throw new ValidationError(problems);
      event.query = validate<v.GenericSchema>(query, given);
    },
  };
}
