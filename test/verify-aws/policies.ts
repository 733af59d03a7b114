import { matchesGlob } from "node:path";

/** A call of an AWS service, as IAM sees it. */
export interface AwsCall {
  action: string;
  /** The ARN of what the call is about. */
  resource: string;
  /** The keys that conditions look at, such as `dynamodb:LeadingKeys`. */
  context: Record<string, string[]>;
}

interface Statement {
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, string | string[]>>;
}
interface TemplateResource {
  Type: string;
  Properties: Record<string, unknown>;
}
/** A template of CloudFormation. */
export interface StackTemplate {
  Resources: Record<string, TemplateResource>;
}

const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

/** Whether a text matches a pattern of IAM, in which `*` stands for any text. */
const isLike = (text: string, pattern: string): boolean =>
  // In globs, a star matches no slash.
  matchesGlob(
    text.replaceAll("/", "\u0001"),
    pattern.replaceAll("/", "\u0001").replaceAll(/[[\]{}()!+@]/g, "\\$&"),
  );

/** The operators that the stack uses. Those for all values are also true of no value. */
const operators: Record<string, (values: string[], wanted: string[]) => boolean> = {
  "ForAllValues:StringLike": (values, wanted) =>
    values.every((value) => wanted.some((pattern) => isLike(value, pattern))),
  "ForAllValues:StringNotLike": (values, wanted) =>
    values.every((value) => !wanted.some((pattern) => isLike(value, pattern))),
  StringEquals: (values, wanted) => values.length > 0 && values.every((value) => wanted.includes(value)),
  Null: (values, [wanted]) => String(values.length === 0) === wanted,
};

const holds = (condition: Statement["Condition"], context: AwsCall["context"]): boolean =>
  Object.entries(condition ?? {}).every(([operator, keys]) => {
    const compare = operators[operator];
    if (compare === undefined) throw new Error(`The condition operator ${operator} is unknown here.`);
    return Object.entries(keys).every(([key, wanted]) => compare(context[key] ?? [], list(wanted)));
  });

/** Whether the policies of a template allow a call to one of its functions, by the function's physical name. */
export type Allows = (functionName: string, call: AwsCall) => boolean;

/**
 * The policies of the roles of a template's functions. `names`: the physical names of its resources, by logical id.
 */
export function policiesOf(
  { Resources }: StackTemplate,
  names: ReadonlyMap<string, string>,
  { account, region }: { account: string; region: string },
): Allows {
  const resolve = resolver(Resources, names, account, region);
  const byRole = new Map<string, Statement[]>();
  const add = (role: string, statements: Statement[]) =>
    byRole.set(role, [...(byRole.get(role) ?? []), ...statements]);
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type === "AWS::IAM::Role")
      for (const { PolicyDocument } of (Properties.Policies ?? []) as {
        PolicyDocument: { Statement: Statement[] };
      }[])
        add(id, PolicyDocument.Statement);
    if (Type !== "AWS::IAM::Policy") continue;
    const { Statement: statements } = Properties.PolicyDocument as { Statement: Statement[] };
    for (const { Ref } of Properties.Roles as { Ref: string }[]) add(Ref, statements);
  }
  const byFunction = new Map<string, Statement[]>();
  for (const [id, { Type, Properties }] of Object.entries(Resources)) {
    if (Type !== "AWS::Lambda::Function") continue;
    const role = (Properties.Role as { "Fn::GetAtt": [string] })["Fn::GetAtt"][0];
    const statements = (byRole.get(role) ?? []).map((one) => ({
      ...one,
      Resource: list(one.Resource).map(resolve),
    }));
    byFunction.set(names.get(id) ?? id, statements);
  }
  return (name, { action, resource, context }) =>
    (byFunction.get(name) ?? []).some(
      ({ Effect, Action, Resource, Condition }) =>
        Effect === "Allow" &&
        list(Action).includes(action) &&
        (Resource as string[]).some((pattern) => isLike(resource, pattern)) &&
        // Each request of a function's code names the function.
        holds(Condition, { "lambda:SourceFunctionArn": [name], ...context }),
    );
}

/** Turns CloudFormation's references in an ARN into text. */
function resolver(
  resources: StackTemplate["Resources"],
  names: ReadonlyMap<string, string>,
  account: string,
  region: string,
) {
  const pseudo: Record<string, string> = {
    "AWS::AccountId": account,
    "AWS::Region": region,
    "AWS::Partition": "aws",
    "AWS::URLSuffix": "amazonaws.com",
  };
  const arnOf = (id: string): string => {
    const [name, type] = [names.get(id) ?? id, resources[id]?.Type ?? ""];
    const arns: Record<string, string> = {
      "AWS::DynamoDB::Table": `arn:aws:dynamodb:${region}:${account}:table/${name}`,
      "AWS::IAM::Role": `arn:aws:iam::${account}:role/${name}`,
      "AWS::Lambda::Function": `arn:aws:lambda:${region}:${account}:function:${name}`,
      "AWS::Logs::LogGroup": `arn:aws:logs:${region}:${account}:log-group:${name}:*`,
      "AWS::S3::Bucket": `arn:aws:s3:::${name}`,
      // The name of a queue is the end of its URL, which is what Ref returns.
      "AWS::SQS::Queue": `arn:aws:sqs:${region}:${account}:${name.split("/").at(-1)}`,
    };
    const arn = arns[type];
    if (arn === undefined) throw new Error(`The ARN of ${id} (${type}) is unknown here.`);
    return arn;
  };
  const resolve = (value: unknown): string => {
    if (typeof value === "string") return value;
    const { Ref, "Fn::GetAtt": attribute, "Fn::Join": join } = value as Record<string, never>;
    if (Ref !== undefined) return pseudo[Ref] ?? names.get(Ref) ?? Ref;
    if (attribute !== undefined) return arnOf((attribute as string[])[0] ?? "");
    if (join !== undefined) {
      const [separator, parts] = join as [string, unknown[]];
      return parts.map(resolve).join(separator);
    }
    throw new Error(`This can't be resolved here: ${JSON.stringify(value)}`);
  };
  return resolve;
}
