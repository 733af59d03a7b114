import type middy from "@middy/core";
import type { Route } from "../contract/routes.ts";
import { validate } from "../contract/validate.ts";
import type { ApiEvent, HttpResponse } from "./types.ts";

/** Validates the query and the parsed body of a request by the route's schemas. */
export function validateRequest(route: Route): middy.MiddlewareObj<ApiEvent, HttpResponse> {
  return {
    before: ({ event }) => {
      event.request = {
        query: route.query && validate(route.query, event.queryStringParameters ?? {}),
        body: route.body && validate(route.body, event.body),
      };
    },
  };
}
