/*
 * Lets the nodes in clients/n8n run in the engine of n8n (n8n-core), for test/clients/n8n.ts. It reads one request per line
 * of JSON from standard input, and answers each with one line. It is in a folder with n8n-core when it runs.
 *
 * Of n8n itself, it replaces where credentials and workflows are stored, and the server that gets webhooks.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { buffer } from "node:stream/consumers";

// n8n uses the CommonJS modules of its packages.
const require = createRequire(import.meta.url);
const {
  ExecutionLifecycleHooks,
  HookContext,
  LoadOptionsContext,
  PackageDirectoryLoader,
  WebhookContext,
  WorkflowExecute,
} = require("n8n-core");
const { ICredentialsHelper, NodeHelpers, Workflow } = require("n8n-workflow");

const [, , folder, credentialJson] = process.argv;
const data = JSON.parse(credentialJson);
const loader = new PackageDirectoryLoader(folder);
await loader.loadAll();

/** Hands over the given items. */
const items = {
  description: {
    ...{ displayName: "Items", name: "items", version: 1, group: [], description: "", defaults: {} },
    ...{
      inputs: [],
      outputs: ["main"],
      properties: [{ displayName: "", name: "json", type: "json", default: "[]" }],
    },
  },
  execute() {
    return [JSON.parse(this.getNodeParameter("json", 0)).map((json) => ({ json }))];
  },
};
const typeOf = (name) => (name === "items" ? items : loader.getNode(name.split(".").at(-1)).type);
const nodeTypes = {
  getByName: typeOf,
  getByNameAndVersion: (name) => NodeHelpers.getVersionedNodeType(typeOf(name)),
  getKnownTypes: () => ({}),
};

class Credentials extends ICredentialsHelper {
  getParentTypes = () => [];
  isCredentialUsableByNode = () => true;
  preAuthentication = async () => undefined;
  getDecrypted = async () => data;
  /** As n8n does it for a credential that says where its values go. */
  async authenticate(credentials, type, request, workflow, node) {
    const { authenticate } = loader.getCredential(type).type;
    const headers = Object.entries(authenticate.properties.headers).map(([name, value]) => [
      name,
      workflow.expression.resolveSimpleParameterValue(value, {}, null, 0, 0, node.name, [], "internal", {
        $credentials: credentials,
      }),
    ]);
    return { ...request, headers: { ...request.headers, ...Object.fromEntries(headers) } };
  }
}

/** The engine wants addresses for what these nodes don't use. */
const NOWHERE = "http://127.0.0.1:9/";
const additionalData = (rest = {}) => ({
  ...{ credentialsHelper: new Credentials(), currentNodeExecutionIndex: 0, variables: {} },
  ...{
    hooks: new ExecutionLifecycleHooks("cli", "1", { id: "1", name: "test", nodes: [], connections: {} }),
  },
  ...{ webhookBaseUrl: NOWHERE, webhookTestBaseUrl: NOWHERE, logAiEvent() {}, ...rest },
  ...{ webhookWaitingBaseUrl: NOWHERE, formWaitingBaseUrl: NOWHERE, executionId: "1" },
});

const node = (type, parameters, rest = {}) => ({
  ...{ id: type, name: type, type, typeVersion: 1, position: [0, 0], webhookId: "a-webhook", parameters },
  ...{ credentials: { gleanerApi: { id: "1", name: "Gleaner" } }, ...rest },
});
const gleaner = "n8n-nodes-gleaner.gleaner";
const workflowOf = (nodes, connections = {}) =>
  new Workflow({
    id: "1",
    name: "test",
    nodes,
    connections,
    active: true,
    nodeTypes,
    settings: { executionOrder: "v1" },
  });

const requests = {
  /** What the loader of n8n finds in the package. */
  loaded: () => ({
    nodes: loader.types.nodes.map(({ name, iconUrl, codex }) => [name, iconUrl, codex?.categories]),
    credentials: loader.types.credentials.map(({ name, iconUrl }) => [name, iconUrl]),
  }),
  /** The options of a dropdown. */
  async options({ method, parameters }) {
    const one = node(gleaner, parameters);
    const more = additionalData({ currentNodeParameters: parameters });
    const context = new LoadOptionsContext(workflowOf([one]), one, more, "");
    return await typeOf(gleaner).methods.loadOptions[method].call(context);
  },
  /** The items that the node makes of items. */
  async run({ input = [{}], parameters, onError }) {
    const start = node("items", { json: JSON.stringify(input) });
    const nodes = [start, node(gleaner, parameters, { onError })];
    const connections = { items: { main: [[{ node: gleaner, type: "main", index: 0 }]] } };
    const execute = new WorkflowExecute(additionalData(), "cli");
    const { data: run } = await execute.run({ workflow: workflowOf(nodes, connections), startNode: start });
    const [result] = run.resultData.runData[gleaner] ?? [];
    const error = result?.error ?? run.resultData.error;
    return error
      ? { error: error.message, description: error.description }
      : { items: result.data.main[0].map(({ json, pairedItem }) => ({ json, pairedItem })) };
  },
  /** Activates the trigger, and answers with the address of its webhook. */
  async activate({ port, parameters }) {
    const { trigger, workflow, webhook, context } = triggerOf(port, parameters);
    const { checkExists, create } = trigger.webhookMethods.default;
    const existed = await checkExists.call(context);
    if (!existed) await create.call(context);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    active = { trigger, workflow, webhook, context };
    return { existed, url: context.getNodeWebhookUrl("default") };
  },
  /** The items with which the trigger starts a workflow next. */
  async event() {
    if (events.length === 0) await once(server, "event");
    return events.shift();
  },
  async deactivate() {
    await active.trigger.webhookMethods.default.delete.call(active.context);
    server.close();
    server.closeAllConnections();
  },
};

let active;
const events = [];
const server = createServer(async (request, response) => {
  const rawBody = await buffer(request);
  Object.assign(request, { rawBody, body: JSON.parse(rawBody.toString()) });
  Object.assign(response, {
    status: (code) => Object.assign(response, { statusCode: code }),
    json: (body) => response.end(JSON.stringify(body)),
  });
  const { trigger, workflow, webhook } = active;
  const more = additionalData({ httpRequest: request, httpResponse: response });
  const context = new WebhookContext(
    workflow,
    workflow.getNode(webhook.node),
    more,
    "webhook",
    webhook,
    [],
    null,
  );
  const { workflowData, noWebhookResponse } = await trigger.webhook.call(context);
  if (!noWebhookResponse) response.end("{}");
  if (workflowData === undefined) return;
  events.push(workflowData[0].map(({ json }) => json));
  server.emit("event");
});

function triggerOf(port, parameters) {
  const one = node("n8n-nodes-gleaner.gleanerTrigger", parameters);
  const workflow = workflowOf([one]);
  const more = additionalData({ webhookBaseUrl: `http://127.0.0.1:${port}/webhook` });
  const webhook = { node: one.name, webhookDescription: typeOf(one.type).description.webhooks[0] };
  const context = new HookContext(workflow, one, more, "trigger", "activate", webhook);
  return { trigger: typeOf(one.type), workflow, webhook, context };
}

for await (const line of createInterface({ input: process.stdin })) {
  const { request, ...rest } = JSON.parse(line);
  const answer = await Promise.try(requests[request], rest).catch(({ message }) => ({ error: message }));
  process.stdout.write(`answer: ${JSON.stringify(answer ?? null)}\n`);
}
process.exit(0);
