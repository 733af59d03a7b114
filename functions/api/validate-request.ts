import type middy from "@middy/core";
import type { Route } from "../contract/routes.ts";
import { validate } from "../contract/validate.ts";
import { parseBody } from "./parse-body.ts";
import type { ApiEvent, HttpResponse } from "./types.ts";

/** Reads a request's query and body as the route's schemas say. */
export function validateRequest(route: Route): middy.MiddlewareObj<ApiEvent, HttpResponse> {
  return {
    before: ({ event }) => {
      event.request = {
        query: route.query && validate(route.query, event.queryStringParameters ?? {}),
        body: route.body && validate(route.body, parseBody(event.headers["content-type"], event)),
      };
    },
  };
}
