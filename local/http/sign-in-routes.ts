import * as v from "valibot";
import { httpHandler } from "../../functions/api/http.ts";
import { HttpError } from "../../functions/api/http-error.ts";
import { putSession } from "../../functions/api/sessions/put-session.ts";
import type { AnyRequest, ApiDeps, ApiResponse } from "../../functions/api/types.ts";
import type { Route } from "../../functions/contract/route.ts";
import { SessionName } from "../../functions/contract/sessions/session.ts";
import { HttpUrl } from "../../functions/contract/steps/action-steps.ts";
import { validate } from "../../functions/contract/validate.ts";
import type { SignInWindow } from "../../functions/scraping/browser/sign-in-window.ts";
import { WindowClosed, WindowFailed } from "../../functions/scraping/browser/window-failed.ts";
import type { GatewayRoute } from "./gateway.ts";
import { OneWindow } from "./one-window.ts";

const path = "/local/sign-ins";

const NewSignIn = v.strictObject({ name: SessionName, url: HttpUrl });

type Handler = (request: AnyRequest, deps: ApiDeps & { window: OneWindow }) => Promise<ApiResponse>;

/** Opens a window at an address. @throws WindowFailed */
export type OpenWindow = (url: string) => Promise<SignInWindow>;

/** Opens Google Chrome. Playwright is loaded then, because it takes much memory. */
const openChrome: OpenWindow = async (url) => {
  const { openSignInWindow } = await import("../../functions/scraping/browser/sign-in-window.ts");
  return openSignInWindow(url, { handlesSignals: false });
};

/**
 * The routes with which the console of a service on one machine lets the person sign in to a site in a window of that
 * machine, as `session sign-in` does. They are no part of the API: the window must be on the person's screen. One window is
 * open at a time; the next one replaces it.
 */
export function signInRoutes(
  deps: ApiDeps,
  openWindow: OpenWindow = openChrome,
): { routes: GatewayRoute[]; close: () => Promise<void> } {
  const window = new OneWindow(openWindow);
  const routes = described.map(({ route, handle }) => ({
    route,
    handler: httpHandler(route, withMessages(handle), { ...deps, window }),
  }));
  return { routes, close: () => window.close() };
}

const described: { route: Route; handle: Handler }[] = [
  {
    route: {
      method: "POST",
      path,
      scope: "write",
      action: null,
      summary: "Open a window",
      description: "Opens a browser with a window at an address, in which the person signs in.",
      body: v.unknown(),
      status: 204,
    },
    async handle({ account, body }, { window }) {
      const { name, url } = validate(NewSignIn, body);
      await window.open({ account, name }, url);
      return {};
    },
  },
  {
    route: {
      method: "PUT",
      path: `${path}/{id}`,
      scope: "write",
      action: "session.store",
      summary: "Store a sign-in",
      description: "Stores the cookies and the local storage of the window as the session, and closes it.",
      status: 200,
    },
    async handle({ account, id, ...request }, { window, ...deps }) {
      const owner = { account, name: id };
      const body = await window.state(owner);
      const stored = await putSession({ ...request, account, id, body, query: {} }, deps);
      await window.close(owner);
      return stored;
    },
  },
  {
    route: {
      method: "DELETE",
      path: `${path}/{id}`,
      scope: "write",
      action: null,
      summary: "Close the window",
      description: "Closes the window, and stores nothing.",
      status: 204,
    },
    async handle({ account, id }, { window }) {
      await window.close({ account, name: id });
      return {};
    },
  },
];

/** With 404, there is no window any more; with 409, the person can do something about it. */
const withMessages =
  (handle: Handler): Handler =>
  async (request, deps) => {
    try {
      return await handle(request, deps);
    } catch (error) {
      if (!(error instanceof WindowFailed)) throw error;
      throw new HttpError(error instanceof WindowClosed ? 404 : 409, error.message, { cause: error });
    }
  };
