import type { Route } from "../contract/route.ts";
import { type HandlerName, type RouteName, routes } from "../contract/routes.ts";
import { handlers } from "./handlers.ts";
import { httpHandler, unknownRouteHandler } from "./http.ts";
import type { ApiDeps, HttpHandler } from "./types.ts";

/** All handlers, for a server that runs them in one process. */
export function apiHandlers(deps: ApiDeps): Record<HandlerName, HttpHandler> {
  const bind = <N extends RouteName>(name: N) =>
    [name, httpHandler(routes[name] as Route, handlers[name], deps)] as const;
  const bound = Object.fromEntries((Object.keys(routes) as RouteName[]).map(bind));
  return { ...(bound as Record<RouteName, HttpHandler>), unknownRoute: unknownRouteHandler(deps) };
}
