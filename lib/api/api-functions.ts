import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { Alias, type IVersion } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { type HandlerName, routes } from "../../functions/contract/routes.ts";
import { indexes } from "../../functions/store/table.ts";
import { PROJECT_FOLDER } from "../project-folder.ts";
import { newLog, ServiceFunction, type ServiceFunctionProps } from "../service-function.ts";
import type { ServiceTable, TableAction } from "../service-table.ts";
import { API_TIMEOUT } from "./api.ts";

/**
 * The table actions and indexes that each route may use. A route that needs an API key needs `UpdateItem`, because it
 * counts the request against the key's rate limit.
 */
const access: Record<HandlerName, { actions: TableAction[]; queried?: (typeof indexes)["runsByScraper"][] }> =
  {
    listRuns: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      queried: [indexes.runsByScraper],
    },
    createRun: { actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"] },
    getRun: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    getRunRows: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    getRunFiles: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    getRunChanges: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    readRunLog: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    getRunScreenshot: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
    getRunWebhook: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
    resendRunWebhook: { actions: ["BatchGetItem", "GetItem", "PutItem", "UpdateItem"] },
    getAccount: {
      actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"],
      queried: [indexes.runsByScraper],
    },
    listAuditEntries: { actions: ["GetItem", "Query", "UpdateItem"] },
    getOpenApi: { actions: [] },
    getReference: { actions: [] },
    // gleaner-stack.ts grants this function access to one partition key only.
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
    listBatches: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    createBatch: {
      actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"],
      queried: [indexes.runsByScraper],
    },
    getBatch: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
    listBatchInputs: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    getBatchRows: { actions: ["BatchGetItem", "GetItem", "Query", "UpdateItem"] },
    stopBatch: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
    deleteBatch: { actions: ["BatchGetItem", "GetItem", "UpdateItem"] },
    listHooks: { actions: ["GetItem", "UpdateItem"] },
    createHook: { actions: ["GetItem", "PutItem", "UpdateItem"] },
    getHook: { actions: ["GetItem", "Query", "UpdateItem"] },
    testHook: { actions: ["GetItem", "PutItem", "Query", "UpdateItem"] },
    deleteHook: { actions: ["GetItem", "PutItem", "UpdateItem"] },
    listSessions: { actions: ["GetItem", "Query", "UpdateItem"] },
    putSession: { actions: ["GetItem", "PutItem", "UpdateItem"] },
    deleteSession: { actions: ["DeleteItem", "GetItem", "UpdateItem"] },
    createInspection: { actions: ["GetItem", "PutItem", "Query", "UpdateItem"] },
    // This function calls the other routes. gleaner-stack.ts grants it the access that checking API keys needs.
    callMcp: { actions: [] },
    // gleaner-stack.ts grants these functions the deletion of what is known of a scraper's rows.
    deleteScraper: { actions: ["BatchGetItem", "GetItem", "PutItem", "Query", "UpdateItem"] },
    deleteSeen: { actions: ["GetItem", "Query", "UpdateItem"] },
    unknownRoute: { actions: ["GetItem", "UpdateItem"] },
  };

/** The routes that validate webhook addresses. */
const checksAddresses = new Set<HandlerName>([
  "createRun",
  "createBatch",
  "createScraper",
  "replaceScraper",
  "createHook",
]);

/** Files of functions/lambda/api by their names. Each is in the folder of its resource, if there is one. */
const entries = new Map(
  globSync("api/**/*.ts", { cwd: join(PROJECT_FOLDER, "functions", "lambda") }).map((path) => [
    basename(path, ".ts"),
    path.replace(/\.ts$/, ""),
  ]),
);

/** The entry file of a handler, which is named like it. Throws if there is none. */
function entryOf(name: HandlerName): string {
  const entry = entries.get(name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`));
  if (entry === undefined) throw new Error(`functions/lambda/api has no file for the handler ${name}.`);
  return entry;
}

/** A Lambda function for each handler. */
export function apiFunctions(
  scope: Construct,
  table: ServiceTable,
  {
    outside,
    ...props
  }: Pick<ServiceFunctionProps, "serviceName" | "logDays"> & {
    /** The environment variable with the allowed private hosts, for the routes that validate webhook addresses. */
    outside: Record<string, string>;
  },
): Record<HandlerName, ServiceFunction> {
  // CloudFormation limits the resources of a stack. The names of log streams have those of their functions.
  const sharedLog = newLog(scope, "ApiLog", props.logDays);
  const make = ([name, description]: readonly [HandlerName, string]) => {
    const fn = new ServiceFunction(
      scope,
      name.replace(/^./, (first) => first.toUpperCase()),
      {
        ...props,
        sharedLog,
        ...(checksAddresses.has(name) && { environment: outside }),
        entry: entryOf(name),
        description,
        timeout: API_TIMEOUT,
        // About a third of a CPU. With less, loading the bundle would delay the first request too much.
        memorySize: 512,
      },
    );
    const { actions, queried = [] } = access[name];
    if (actions.length > 0) table.grant(fn, actions, ...queried);
    return [name, fn] as const;
  };
  const described = Object.entries(routes).map(
    ([name, { summary }]) => [name as HandlerName, summary] as const,
  );
  const unknown = ["unknownRoute", "Refuse requests that no route matches"] as const;
  return Object.fromEntries([...described, unknown].map(make)) as Record<HandlerName, ServiceFunction>;
}

/** An alias of each function, which points to its newest version. */
export const aliasesOf = (functions: Record<HandlerName, ServiceFunction>): Record<HandlerName, Alias> =>
  Object.fromEntries(
    Object.entries(functions).map(([name, fn]) => [
      name,
      // The types of CDK don't support exactOptionalPropertyTypes.
      new Alias(fn, "Live", { aliasName: "live", version: fn.currentVersion as IVersion }),
    ]),
  ) as Record<HandlerName, Alias>;
