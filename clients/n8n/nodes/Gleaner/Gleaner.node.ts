import {
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeExecutionData,
  type INodePropertyOptions,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { call, finished, getScrapers, listAll, rowsOf, stepsOf } from "./api.ts";
import { inputsOf, itemOfChange, overridesOf, type StepValue, stepOptions } from "./mapping.ts";
import { properties } from "./properties.ts";

/** Runs scrapers, and gets their rows as items. */
export class Gleaner implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Gleaner",
    name: "gleaner",
    icon: "file:../../icons/gleaner.svg",
    group: ["input"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
    description: "Run web scrapers, and get their rows as items",
    defaults: { name: "Gleaner" },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "gleanerApi", required: true }],
    properties,
  };

  methods = {
    loadOptions: {
      getScrapers,
      async getSteps(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
        const scraperId = this.getCurrentNodeParameter("scraperId");
        return scraperId ? stepOptions(await stepsOf(this, String(scraperId))) : [];
      },
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const items = this.getInputData();
    // A batch is one for all items.
    const isBatch =
      this.getNodeParameter("resource", 0) === "batch" && this.getNodeParameter("operation", 0) === "start";
    const indexes = isBatch ? [0] : items.map((_, index) => index);
    const found: INodeExecutionData[] = [];
    for (const index of indexes) {
      const pairedItem = isBatch ? items.map((_, item) => ({ item })) : { item: index };
      try {
        const result = isBatch ? await startBatch(this) : await operate(this, index);
        found.push(...result.map((json) => ({ json, pairedItem })));
      } catch (error) {
        if (!this.continueOnFail()) throw error;
        found.push({ json: { error: (error as Error).message }, pairedItem });
      }
    }
    return [found];
  }
}

/** Carries out the operation for one item. */
async function operate(context: IExecuteFunctions, index: number): Promise<IDataObject[]> {
  const resource = context.getNodeParameter("resource", index) as string;
  const operation = context.getNodeParameter("operation", index) as string;
  switch (`${resource}:${operation}`) {
    case "scraper:getMany":
      return await listAll<IDataObject>(context, "/scrapers", limitOf(context, index));
    case "run:start":
      return await startRun(context, index);
    case "run:getRows":
    case "batch:getRows":
      return await rowsOf(context, pathOf(resource, context, index), limitOf(context, index));
    case "run:getChanges": {
      const kinds = (context.getNodeParameter("kinds", index) as string[]).join(",");
      const path = `${pathOf(resource, context, index)}/changes`;
      const changes = await call<Parameters<typeof itemOfChange>[0][]>(context, "GET", path, {
        qs: { kinds },
      });
      return changes.map((change) => itemOfChange(change) as IDataObject);
    }
    default:
      throw new NodeOperationError(
        context.getNode(),
        `There is no operation ${operation} for a ${resource}.`,
        {
          itemIndex: index,
        },
      );
  }
}

function pathOf(resource: string, context: IExecuteFunctions, index: number): string {
  const id = encodeURIComponent(context.getNodeParameter("id", index) as string);
  return resource === "batch" ? `/batches/${id}` : `/runs/${id}`;
}

const limitOf = (context: IExecuteFunctions, index: number): number =>
  context.getNodeParameter("returnAll", index)
    ? Number.POSITIVE_INFINITY
    : (context.getNodeParameter("limit", index) as number);

interface RunOptions {
  onlyNew?: boolean;
  rowsLimit?: number;
  values?: { value?: StepValue[] };
}

async function startRun(context: IExecuteFunctions, index: number): Promise<IDataObject[]> {
  const scraperId = context.getNodeParameter("scraperId", index) as string;
  const { onlyNew, rowsLimit, values } = context.getNodeParameter("options", index) as RunOptions;
  const steps = values?.value?.length
    ? overridesOf(values.value, await stepsOf(context, scraperId))
    : undefined;
  const body = {
    scraper_id: scraperId,
    ...(steps && { steps: steps as unknown as IDataObject[] }),
    ...(rowsLimit !== undefined && { rows_limit: rowsLimit }),
    ...(onlyNew !== undefined && { only_new: onlyNew }),
  };
  const run = await call<IDataObject>(context, "POST", "/runs", { body });
  return await resultOf(context, `/runs/${run.id}`, run, index);
}

async function startBatch(context: IExecuteFunctions): Promise<IDataObject[]> {
  const { concurrency, rowsLimit } = context.getNodeParameter("options", 0) as {
    concurrency?: number;
    rowsLimit?: number;
  };
  const body = {
    scraper_id: context.getNodeParameter("scraperId", 0) as string,
    inputs: inputsOf(context.getInputData().map(({ json }) => json)),
    ...(rowsLimit !== undefined && { rows_limit: rowsLimit }),
    ...(concurrency !== undefined && { concurrency }),
  };
  const batch = await call<IDataObject>(context, "POST", "/batches", { body });
  return await resultOf(context, `/batches/${batch.id}`, batch, 0);
}

/** What was started, or its rows once it has finished. */
async function resultOf(
  context: IExecuteFunctions,
  path: string,
  started: IDataObject,
  itemIndex: number,
): Promise<IDataObject[]> {
  if (!context.getNodeParameter("wait", itemIndex)) return [started];
  const minutes = context.getNodeParameter("timeout", itemIndex) as number;
  await finished(context, path, { minutes, itemIndex });
  return await rowsOf(context, path);
}
