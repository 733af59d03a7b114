import type { Route } from "../contract/routes.ts";
import { validate } from "../contract/validate.ts";
import type { ApiMiddleware } from "./types.ts";

/** Validates the query and the parsed body of a request by the route's schemas. */
export function validateRequest(route: Route): ApiMiddleware {
  return {
    before: ({ event }) => {
      event.request = {
        query: route.query && validate(route.query, event.queryStringParameters ?? {}),
        body: route.body && validate(route.body, event.body),
      };
    },
  };
}
