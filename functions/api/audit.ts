import { recordChange } from "../audit/record-change.ts";
import type { Actor } from "../contract/audit/audit.ts";
import type { Route } from "../contract/route.ts";
import type { ApiDeps, ApiMiddleware, Caller } from "./types.ts";

/**
 * A middleware that records what a route has changed. A response with another status than that of the route, such as 200
 * for a run that had finished before it was stopped, says that nothing was changed.
 */
export function audit(route: Route, deps: Pick<ApiDeps, "table" | "now" | "log">): ApiMiddleware | [] {
  const action = route.method === "GET" ? null : route.action;
  if (action === null) return [];
  return {
    after: async ({ event, response }) => {
      if (response?.statusCode !== route.status) return;
      const created = response.headers.location?.split("/").at(-1);
      await recordChange(deps, {
        account: event.account,
        actor: actorOf(event.caller),
        action,
        target: event.pathParameters?.id ?? created ?? null,
      });
    },
  };
}

const actorOf = ({ key, user }: Caller): Actor =>
  key === undefined
    ? { type: "user", id: null, name: user ?? null }
    : { type: "key", id: key.id, name: key.label ?? null };
