import { Alias, type IVersion } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { type RouteName, routes } from "../functions/contract/routes.ts";
import { indexes } from "../functions/store/table.ts";
import { API_TIMEOUT } from "./api.ts";
import { ServiceFunction, type ServiceFunctionProps } from "./service-function.ts";
import type { ServiceTable, TableAction } from "./service-table.ts";

/** The table actions of each route. All routes that need a key count the request against its limit. */
const access: Record<RouteName, { actions: TableAction[]; queried?: (typeof indexes)["runsByScraper"][] }> = {
  listRuns: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"], queried: [indexes.runsByScraper] },
  createRun: { actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"] },
  getRun: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
  getRunRows: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
  readRunLog: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
  getRunScreenshot: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
  getRunWebhook: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
  resendRunWebhook: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
  getAccount: {
    actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  getOpenApi: { actions: [] },
  getReference: { actions: [] },
  // The stack lets it read one key.
  getHealth: { actions: [] },
  stopRun: { actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"] },
  deleteRun: {
    actions: ["BatchGetItem", "DeleteItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  listScrapers: {
    actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  createScraper: {
    actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  getScraper: {
    actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  replaceScraper: {
    actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
    queried: [indexes.runsByScraper],
  },
  createInspection: { actions: ["GetItem", "PutItem", "Query", "UpdateItem"] },
  // A client of the other routes. The stack lets it check keys.
  callMcp: { actions: [] },
  deleteScraper: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
};

/** Routes that check the addresses of webhooks. */
const checksAddresses = new Set<RouteName>(["createRun", "createScraper", "replaceScraper"]);

/** A Lambda function for every route of the contract. */
export function apiFunctions(
  scope: Construct,
  table: ServiceTable,
  {
    outside,
    ...props
  }: Pick<ServiceFunctionProps, "serviceName" | "logDays"> & {
    /** What is reachable besides public hosts, for the routes that check addresses. */
    outside: Record<string, string>;
  },
): Record<RouteName, ServiceFunction> {
  const names = Object.keys(routes) as RouteName[];
  const make = (name: RouteName) => {
    const fn = new ServiceFunction(
      scope,
      name.replace(/^./, (first) => first.toUpperCase()),
      {
        ...props,
        ...(checksAddresses.has(name) && { environment: outside }),
        entry: `api/${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
        description: routes[name].summary,
        timeout: API_TIMEOUT,
        // A third of a CPU, because the first request waits until the bundle is loaded.
        memorySize: 512,
      },
    );
    const { actions, queried = [] } = access[name];
    if (actions.length > 0) table.grant(fn, actions, ...queried);
    return [name, fn] as const;
  };
  return Object.fromEntries(names.map(make)) as Record<RouteName, ServiceFunction>;
}

/** An alias of each function, which points to its newest version. */
export const aliasesOf = (functions: Record<RouteName, ServiceFunction>): Record<RouteName, Alias> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, fn]) => [
      name,
      // The types of CDK don't support exactOptionalPropertyTypes.
      new Alias(fn, "Live", { aliasName: "live", version: fn.currentVersion as IVersion }),
    ]),
  ) as Record<RouteName, Alias>;
