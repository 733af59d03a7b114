import type { INodeProperties } from "n8n-workflow";

const on = (resource: string, ...operation: string[]) => ({ show: { resource: [resource], operation } });

const scraper: INodeProperties = {
  displayName: "Scraper Name or ID",
  name: "scraperId",
  type: "options",
  typeOptions: { loadOptionsMethod: "getScrapers" },
  default: "",
  required: true,
  description:
    'The scraper to run. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

const wait: INodeProperties[] = [
  {
    displayName: "Wait Until Finished",
    name: "wait",
    type: "boolean",
    default: true,
    description: "Whether to wait, and return each row as an item. Otherwise, what was started is returned.",
  },
  {
    displayName: "Timeout in Minutes",
    name: "timeout",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 60,
    displayOptions: { show: { wait: [true] } },
    description: "How long to wait. After that, the node fails, and the run or batch continues.",
  },
];

const forOperation = (properties: INodeProperties[], resource: string, ...operation: string[]) =>
  properties.map((property) => ({
    ...property,
    displayOptions: {
      show: { ...property.displayOptions?.show, ...on(resource, ...operation).show },
    },
  }));

const operations = (
  resource: string,
  options: INodeProperties["options"],
  initial: string,
): INodeProperties => ({
  displayName: "Operation",
  name: "operation",
  type: "options",
  noDataExpression: true,
  displayOptions: { show: { resource: [resource] } },
  options: options ?? [],
  default: initial,
});

const limits: INodeProperties[] = [
  {
    displayName: "Return All",
    name: "returnAll",
    type: "boolean",
    default: true,
    description: "Whether to return all results or only up to a given limit",
  },
  {
    displayName: "Limit",
    name: "limit",
    type: "number",
    typeOptions: { minValue: 1 },
    default: 50,
    displayOptions: { show: { returnAll: [false] } },
    description: "Max number of results to return",
  },
];

const idOf = (what: string): INodeProperties => ({
  displayName: `${what} ID`,
  name: "id",
  type: "string",
  default: "",
  required: true,
  description: `The ID of the ${what.toLowerCase()}`,
});

const rowsLimit: INodeProperties = {
  displayName: "Rows Limit",
  name: "rowsLimit",
  type: "number",
  typeOptions: { minValue: 1 },
  default: 1000,
  description: "The most rows of a run, in place of the limit of the scraper",
};

const runOptions: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  options: [
    {
      displayName: "Only New Rows",
      name: "onlyNew",
      type: "boolean",
      default: false,
      description: "Whether to leave out the rows that an earlier good run had",
    },
    rowsLimit,
    {
      displayName: "Values of Steps",
      name: "values",
      type: "fixedCollection",
      typeOptions: { multipleValues: true },
      default: {},
      options: [
        {
          displayName: "Value",
          name: "value",
          values: [
            {
              displayName: "Step Name or ID",
              name: "step",
              type: "options",
              typeOptions: { loadOptionsMethod: "getSteps", loadOptionsDependsOn: ["scraperId"] },
              default: "",
              description:
                'The step to set. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
            },
            {
              displayName: "Value",
              name: "value",
              type: "string",
              default: "",
              description: "The text to type or choose, or the address to open",
            },
          ],
        },
      ],
      description: "Other values for steps of the scraper, in this run only",
    },
  ],
};

const batchOptions: INodeProperties = {
  displayName: "Options",
  name: "options",
  type: "collection",
  placeholder: "Add Option",
  default: {},
  options: [
    {
      displayName: "Concurrency",
      name: "concurrency",
      type: "number",
      typeOptions: { minValue: 1, maxValue: 20 },
      default: 10,
      description: "How many runs are made at a time",
    },
    rowsLimit,
  ],
};

const changeKinds: INodeProperties = {
  displayName: "Kinds",
  name: "kinds",
  type: "multiOptions",
  options: [
    { name: "Changed", value: "changed" },
    { name: "New", value: "new" },
    { name: "Removed", value: "removed" },
  ],
  default: ["new", "changed", "removed"],
  description: "Which changes to return",
};

/** The fields of the node. */
export const properties: INodeProperties[] = [
  {
    displayName: "Resource",
    name: "resource",
    type: "options",
    noDataExpression: true,
    options: [
      { name: "Batch", value: "batch" },
      { name: "Run", value: "run" },
      { name: "Scraper", value: "scraper" },
    ],
    default: "run",
  },
  operations(
    "run",
    [
      {
        name: "Get Changes",
        value: "getChanges",
        action: "Get the changes of a run",
        description: "Get the rows that are new, changed or removed since the last good run",
      },
      { name: "Get Rows", value: "getRows", action: "Get the rows of a run" },
      {
        name: "Start",
        value: "start",
        action: "Start a run",
        description: "Run a scraper, and return its rows as items",
      },
    ],
    "start",
  ),
  operations(
    "batch",
    [
      { name: "Get Rows", value: "getRows", action: "Get the rows of a batch" },
      {
        name: "Start From Items",
        value: "start",
        action: "Start a batch from items",
        description:
          "Run a scraper once for each incoming item. The fields of an item whose names are IDs of steps set these steps; others come back with the rows.",
      },
    ],
    "start",
  ),
  operations("scraper", [{ name: "Get Many", value: "getMany", action: "Get many scrapers" }], "getMany"),
  ...forOperation([scraper, ...wait, runOptions], "run", "start"),
  ...forOperation([scraper, ...wait, batchOptions], "batch", "start"),
  ...forOperation([idOf("Run"), ...limits], "run", "getRows"),
  ...forOperation([idOf("Run"), changeKinds], "run", "getChanges"),
  ...forOperation([idOf("Batch"), ...limits], "batch", "getRows"),
  ...forOperation(limits, "scraper", "getMany"),
];
