import * as v from "valibot";
import { httpHandler } from "../../functions/api/http.ts";
import { HttpError } from "../../functions/api/http-error.ts";
import type { AnyRequest, ApiDeps, ApiResponse } from "../../functions/api/types.ts";
import type { Route } from "../../functions/contract/route.ts";
import { validate } from "../../functions/contract/validate.ts";
import { NewSecret, type SecretStore } from "../../functions/secrets/secret.ts";
import type { GatewayRoute } from "./gateway.ts";

type Deps = Pick<ApiDeps, "table" | "now" | "log" | "identify"> & { secrets: SecretStore };
type Handler = (request: AnyRequest, deps: Deps) => Promise<ApiResponse>;

const path = "/local/secrets";

/**
 * The routes with which the console of a service on one machine sets the secrets of the key's account. They are no part
 * of the API, because on AWS only the operator can set secrets. No response has a value, so a key that can set a
 * secret can't read it, and can change its hosts only together with its value.
 */
export const secretRoutes = (deps: Deps): GatewayRoute[] =>
  described.map(({ route, handle }) => ({ route, handler: httpHandler(route, handle, deps) }));

const described: { route: Route; handle: Handler }[] = [
  {
    route: {
      method: "GET",
      path,
      scope: "read",
      summary: "List secrets",
      description: "Returns the names of the account's secrets, with their hosts and when they were set.",
      status: 200,
    },
    handle: async ({ account }, { secrets }) => ({ json: await secrets.list(account) }),
  },
  {
    route: {
      method: "PUT",
      path: `${path}/{id}`,
      scope: "write",
      action: "secret.set",
      summary: "Set a secret",
      description: "Stores a value and the hosts that may get it, and replaces the secret of that name.",
      body: v.unknown(),
      status: 204,
    },
    async handle({ account, id, body }, { secrets, now }) {
      const { name, ...secret } = validate(NewSecret, { ...Object(body), name: id });
      await secrets.put(account, name, secret, now());
      return {};
    },
  },
  {
    route: {
      method: "DELETE",
      path: `${path}/{id}`,
      scope: "write",
      action: "secret.remove",
      summary: "Remove a secret",
      description: "Removes the secret of that name. Runs of scrapers that use it fail from then on.",
      status: 204,
    },
    async handle({ account, id }, { secrets }) {
      if (!(await secrets.remove(account, id))) throw new HttpError(404, `There is no secret "${id}".`);
      return {};
    },
  },
];
