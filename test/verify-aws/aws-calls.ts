import type { AwsCall } from "./policies.ts";

/** A request to AWS. */
export interface AwsRequest {
  method: string;
  /** Path and query. */
  url: string;
  /** The service in the request's signature. */
  service: string;
  /** The header `x-amz-target`; "" if it has none. */
  target: string;
  body: string;
}

// biome-ignore lint/suspicious/noExplicitAny: the bodies of requests have a form for each operation.
type Json = Record<string, any>;
type Item = Record<string, { S?: string }>;

/** What a request does, as IAM sees it; several calls if it is a transaction or a batch. @throws if it is unknown */
export function callsOf(
  request: AwsRequest,
  { account, region }: { account: string; region: string },
): AwsCall[] {
  const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;
  const { service, target, body, method } = request;
  const url = new URL(request.url, "http://aws");
  const operation = target.split(".").at(-1) ?? "";
  const json = () => JSON.parse(body || "{}") as Json;
  switch (service) {
    case "dynamodb":
      return ofDynamoDb(operation, json(), (table) => arn("dynamodb", `table/${table}`));
    case "sqs":
      return [call(`sqs:${operation}`, arn("sqs", String(json().QueueUrl).split("/").at(-1) ?? ""))];
    case "ssm": {
      const { Path = "", Name = "" } = json();
      return [call(`ssm:${operation}`, arn("ssm", `parameter${Path || Name}`))];
    }
    case "lambda": {
      const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(url.pathname) ?? [];
      if (name !== undefined) return [call("lambda:InvokeFunction", arn("lambda", `function:${name}`))];
      break;
    }
    case "scheduler":
      return ofScheduler(method, url, json(), arn);
    case "s3":
      return ofS3(method, url, body);
  }
  throw new Error(`This call is unknown here: ${method} ${request.url} ${service} ${target}`);
}

const call = (action: string, resource: string, context: AwsCall["context"] = {}): AwsCall => ({
  action,
  resource,
  context,
});

/** The partition keys of items or keys. */
const leading = (...items: (Item | undefined)[]) => ({
  "dynamodb:LeadingKeys": items.map((item) => item?.pk?.S ?? ""),
});

function ofDynamoDb(operation: string, input: Json, arnOf: (table: string) => string): AwsCall[] {
  const { TableName, Key, Item: item, IndexName } = input as { TableName: string; IndexName?: string } & Json;
  switch (operation) {
    case "TransactWriteItems":
    case "TransactGetItems":
      // IAM authorizes each part of a transaction as a request of its own.
      return (input.TransactItems as Record<string, Json>[]).flatMap((parts) =>
        Object.entries(parts).flatMap(([kind, part]) =>
          ofDynamoDb(kind === "ConditionCheck" ? "ConditionCheckItem" : `${kind}Item`, part, arnOf),
        ),
      );
    case "BatchGetItem":
      return Object.entries(input.RequestItems as Record<string, { Keys: Item[] }>).map(([table, { Keys }]) =>
        call("dynamodb:BatchGetItem", arnOf(table), leading(...Keys)),
      );
    case "Query":
      if (IndexName !== undefined) return [call("dynamodb:Query", `${arnOf(TableName)}/index/${IndexName}`)];
      return [call("dynamodb:Query", arnOf(TableName), leading({ pk: partitionOf(input) }))];
    case "GetItem":
    case "PutItem":
    case "UpdateItem":
    case "DeleteItem":
    case "ConditionCheckItem":
      return [call(`dynamodb:${operation}`, arnOf(TableName), leading(Key ?? item))];
    default:
      throw new Error(`DynamoDB's ${operation} is unknown here.`);
  }
}

/** The partition key in the condition of a query. */
function partitionOf(input: Json): { S?: string } {
  const { KeyConditionExpression, ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = input;
  for (const [, name = "", value = ""] of String(KeyConditionExpression).matchAll(/(#?\w+)\s*=\s*(:\w+)/g))
    if ((ExpressionAttributeNames[name] ?? name) === "pk") return ExpressionAttributeValues[value] ?? {};
  return {};
}

function ofScheduler(
  method: string,
  url: URL,
  input: Json,
  arn: (service: string, resource: string) => string,
): AwsCall[] {
  const [, name = ""] = /^\/schedules\/([^/]+)$/.exec(url.pathname) ?? [];
  const group = input.GroupName ?? url.searchParams.get("groupName");
  const verbs: Record<string, string> = { POST: "Create", PUT: "Update", DELETE: "Delete", GET: "Get" };
  const { RoleArn } = (input.Target ?? {}) as { RoleArn?: string };
  const passed = { "iam:PassedToService": ["scheduler.amazonaws.com"] };
  return [
    call(`scheduler:${verbs[method]}Schedule`, arn("scheduler", `schedule/${group}/${name}`)),
    ...(RoleArn === undefined ? [] : [call("iam:PassRole", RoleArn, passed)]),
  ];
}

function ofS3(method: string, url: URL, body: string): AwsCall[] {
  const [, bucket = "", ...path] = url.pathname.split("/");
  const [key, arn] = [path.join("/"), `arn:aws:s3:::${bucket}`];
  if (method === "POST" && url.searchParams.has("delete"))
    return [...body.matchAll(/<Key>([^<]+)<\/Key>/g)].map(([, one]) =>
      call("s3:DeleteObject", `${arn}/${one}`),
    );
  if (method === "GET" && key === "") return [call("s3:ListBucket", arn)];
  const verbs: Record<string, string> = { PUT: "Put", DELETE: "Delete", GET: "Get", HEAD: "Get" };
  return [call(`s3:${verbs[method]}Object`, `${arn}/${key}`)];
}
