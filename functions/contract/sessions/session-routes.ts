import { pageOf, type Route } from "../route.ts";
import { SessionState, SessionView } from "./session.ts";

export const SessionList = pageOf(SessionView);

/** A state is larger than other bodies, in bytes. */
const STATE_MAX_BYTES = 4_000_000;

export const sessionRoutes = {
  listSessions: {
    method: "GET",
    path: "/v1/sessions",
    scope: "read",
    summary: "List kept sign-ins",
    description:
      "Returns the sessions of the account by name, without their cookies and their local storage.",
    status: 200,
    response: SessionList,
  },
  putSession: {
    method: "PUT",
    path: "/v1/sessions/{id}",
    scope: "write",
    action: "session.store",
    summary: "Store a sign-in",
    description:
      "Stores cookies and local storage under a name, which is the `id`, and replaces those of that name. Scrapers with " +
      "a `session` of this name begin with them. The state is encrypted, and no route returns it.",
    body: SessionState,
    maxBodyBytes: STATE_MAX_BYTES,
    status: 200,
    response: SessionView,
  },
  deleteSession: {
    method: "DELETE",
    path: "/v1/sessions/{id}",
    scope: "write",
    action: "session.delete",
    summary: "Delete a kept sign-in",
    description: "Permanently deletes a session. Later runs of scrapers that use it sign in anew.",
    status: 204,
  },
} as const satisfies Record<string, Route>;
