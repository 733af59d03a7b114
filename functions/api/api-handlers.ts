import { type RouteName, routes } from "../contract/routes.ts";
import { handlers } from "./handlers.ts";
import { httpHandler } from "./http.ts";
import type { ApiDeps, HttpHandler } from "./types.ts";

/** The handlers of all routes, for a server that runs them in one process. */
export function apiHandlers(deps: ApiDeps): Record<RouteName, HttpHandler> {
  const bind = <N extends RouteName>(name: N) =>
    [name, httpHandler<N>(routes[name], handlers[name], deps)] as const;
  return Object.fromEntries((Object.keys(routes) as RouteName[]).map(bind)) as Record<RouteName, HttpHandler>;
}
