import {
  type IDataObject,
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import { call, getScrapers } from "../Gleaner/api.ts";
import { isSigned } from "./signature.ts";

interface Hook {
  id: string;
  url: string;
  events: string[];
  scraper_id: string | null;
  disabled: unknown;
}

/** Starts a workflow when something happens, by a hook of the service. */
export class GleanerTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Gleaner Trigger",
    name: "gleanerTrigger",
    icon: "file:../../icons/gleaner.svg",
    group: ["trigger"],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description:
      "Starts the workflow when a run or batch has finished, rows have changed, or a scraper fails",
    defaults: { name: "Gleaner Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: "gleanerApi", required: true }],
    webhooks: [{ name: "default", httpMethod: "POST", responseMode: "onReceived", path: "webhook" }],
    properties: [
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        options: [
          { name: "Batch Finished", value: "batch.finished" },
          { name: "Credits Low", value: "credits.low" },
          { name: "Rows Changed", value: "run.changed" },
          { name: "Run Finished", value: "run.finished" },
          { name: "Scraper Failing", value: "scraper.failing" },
          { name: "Scraper Recovered", value: "scraper.recovered" },
        ],
        default: ["run.finished"],
        required: true,
        description: "What starts the workflow",
      },
      {
        displayName: "Scraper Name or ID",
        name: "scraperId",
        type: "options",
        typeOptions: { loadOptionsMethod: "getScrapers" },
        default: "",
        description:
          'Only events of this scraper; none stands for all. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
      },
    ],
  };

  methods = { loadOptions: { getScrapers } };

  webhookMethods = {
    default: {
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { url, events, scraper_id } = wantedHook(this);
        const { data } = await call<{ data: Hook[] }>(this, "GET", "/hooks");
        const hook = data.find((one) => one.url === url && one.scraper_id === scraper_id);
        if (hook === undefined) return false;
        if (hook.disabled === null && isSame(hook.events, events)) {
          this.getWorkflowStaticData("node").hookId = hook.id;
          return true;
        }
        await call(this, "DELETE", `/hooks/${hook.id}`);
        return false;
      },
      async create(this: IHookFunctions): Promise<boolean> {
        const { webhookSecret } = await this.getCredentials<{ webhookSecret: string }>("gleanerApi");
        if (!webhookSecret.includes("whsec_")) {
          throw new NodeOperationError(
            this.getNode(),
            "The credential has no webhook secret. Set it to what the command gleaner webhook secret prints.",
          );
        }
        const hook = await call<Hook>(this, "POST", "/hooks", {
          body: { ...wantedHook(this), format: "standard" },
        });
        this.getWorkflowStaticData("node").hookId = hook.id;
        return true;
      },
      async delete(this: IHookFunctions): Promise<boolean> {
        const data = this.getWorkflowStaticData("node");
        if (data.hookId !== undefined) await call(this, "DELETE", `/hooks/${data.hookId}`);
        delete data.hookId;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const { webhookSecret } = await this.getCredentials<{ webhookSecret: string }>("gleanerApi");
    const { rawBody: body } = this.getRequestObject();
    const delivery = { body, headers: this.getHeaderData() };
    if (!isSigned(delivery, webhookSecret, Date.now() / 1000)) {
      this.getResponseObject().status(401).json({ message: "The signature is missing, old or wrong." });
      return { noWebhookResponse: true };
    }
    const event = this.getBodyData() as IDataObject & { type: string };
    // A test of the hook has arrived. It is no event.
    if (event.type === "hook.test") return {};
    return { workflowData: [this.helpers.returnJsonArray(event)] };
  }
}

function wantedHook(context: IHookFunctions) {
  const url = context.getNodeWebhookUrl("default");
  if (url === undefined)
    throw new NodeOperationError(context.getNode(), "n8n has no address for this webhook.");
  return {
    url,
    events: context.getNodeParameter("events") as string[],
    scraper_id: (context.getNodeParameter("scraperId") as string) || null,
  };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((event) => other.includes(event));
