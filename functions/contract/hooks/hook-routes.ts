import { pageOf, type Route } from "../route.ts";
import { CreateHookRequest, Hook, HookWithAlerts } from "./hook.ts";

export const HookList = pageOf(Hook);

export const hookRoutes = {
  listHooks: {
    method: "GET",
    path: "/v1/hooks",
    scope: "read",
    summary: "List hooks, newest first",
    description: "Returns all hooks of the account, which are at most 20.",
    status: 200,
    response: HookList,
  },
  createHook: {
    method: "POST",
    path: "/v1/hooks",
    scope: "write",
    action: "hook.create",
    summary: "Create a hook",
    description:
      "From now on, the events are sent to the address: as a signed webhook, or as a message to people. An account " +
      "has at most 20 hooks.",
    body: CreateHookRequest,
    status: 201,
    response: Hook,
    responseHeaders: ["Location"],
    errors: [404, 409],
  },
  getHook: {
    method: "GET",
    path: "/v1/hooks/{id}",
    scope: "read",
    summary: "Retrieve a hook",
    description: "Returns a hook, its newest alerts, and the attempts to deliver them.",
    status: 200,
    response: HookWithAlerts,
  },
  testHook: {
    method: "POST",
    path: "/v1/hooks/{id}/test",
    scope: "write",
    action: "hook.test",
    summary: "Send a test to a hook",
    description:
      "Sends a test message. Retrieve the hook until the first of its `alerts` has an attempt to see whether it arrived. " +
      "While a test is waiting, no second one is sent. A test that arrives enables a disabled hook.",
    status: 202,
    response: HookWithAlerts,
  },
  deleteHook: {
    method: "DELETE",
    path: "/v1/hooks/{id}",
    scope: "write",
    action: "hook.delete",
    summary: "Delete a hook",
    description: "Permanently deletes a hook. Alerts that have not arrived yet are not delivered any more.",
    status: 204,
  },
} as const satisfies Record<string, Route>;
