import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SSMClient } from "@aws-sdk/client-ssm";
import type { InspectionTask } from "../../functions/inspections/task.ts";
import { openTable } from "../../functions/store/table.ts";
import { issueTicket } from "../../functions/store/tickets.ts";
import { ssmSecrets } from "../../local/secrets/ssm-secrets.ts";
import type { Deployed } from "./ministack.ts";

/** What a function that is no route gets, and what it answers. */
export interface Call {
  event: object;
  answer: RegExp;
}

/** Of the functions that work for whoever has a ticket of an account: a secret of it, and an inspection that fills it in. */
export async function callsWithTicket(
  { variables, environment }: Deployed,
  functions: Record<string, { id: string }>,
  page: string,
): Promise<Record<string, Call>> {
  const [reader = "", inspector = ""] = ["read-secrets", "execute-inspection"].map(
    (name) => functions[name]?.id,
  );
  const { SECRETS_PATH = "" } = await variables(reader);
  const { TABLE_NAME = "" } = await variables(inspector);
  const client = {
    endpoint: environment.AWS_ENDPOINT_URL as string,
    region: environment.AWS_REGION as string,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  };
  const [dynamoDb, ssm] = [new DynamoDBClient(client), new SSMClient(client)];
  try {
    const ticket = await issueTicket(openTable(dynamoDb, TABLE_NAME), "default", new Date());
    const secret = { value: "list", hosts: [new URL(page).hostname] };
    await ssmSecrets(ssm, SECRETS_PATH).put("default", "page", secret, new Date());
    const task: InspectionTask = {
      account: "default",
      steps: [
        { type: "visit", url: `${page}?{{secret:page}}` },
        { type: "get_list", selector: "li", fields: [{ name: "text" }] },
      ],
      ...{ pagination: { type: "none" }, proxy: { type: "none" }, credits_left: null },
      ...{ pages: 1, rows_limit: 3, want: ["rows", "screenshot"] },
    };
    return {
      "read-secrets": {
        event: { ticket, names: ["page", "unknown"] },
        answer: /^\{"page":\{"value":"list","hosts":\["[^"]+"\]\}\}$/,
      },
      "execute-inspection": { event: { task, ticket }, answer: /^\{"ok":true,.*"text":"Item 1\.2"/ },
    };
  } finally {
    dynamoDb.destroy();
    ssm.destroy();
  }
}
