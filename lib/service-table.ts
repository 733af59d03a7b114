import { RemovalPolicy } from "aws-cdk-lib";
import {
  type AttributeType,
  BillingMode,
  type ITable,
  type ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import type { Conditions } from "aws-cdk-lib/aws-iam";
import { Construct } from "constructs";
import { type indexes, TTL_ATTRIBUTE, tableSchema } from "../functions/store/table.ts";
import type { Config } from "./config.ts";
import { RunFiles } from "./run-files.ts";
import type { ServiceFunction } from "./service-function.ts";

export interface ServiceTableProps {
  /**
   * With "retain", the table is kept when the stack is deleted, and has deletion protection. `runDays`: how long runs are
   * kept, in days; null: for ever.
   */
  retention: Pick<Config["retention"], "table" | "runDays">;
  /** Name of the table to use, instead of a new one. */
  existing?: string | undefined;
}

/** The actions that a function may be granted on the table's items. */
export type TableAction = "BatchGetItem" | "GetItem" | "PutItem" | "UpdateItem" | "DeleteItem" | "Query";

type IndexName = (typeof indexes)[keyof typeof indexes];

/**
 * The table with the store's schema, on-demand billing, encryption, and point-in-time recovery for 35 days. Or an
 * existing table, whose settings the operator manages. And the bucket with what is too large for it.
 */
export class ServiceTable extends Construct {
  readonly table: ITable;
  readonly files: RunFiles;

  constructor(scope: Construct, id: string, { retention, existing }: ServiceTableProps) {
    super(scope, id);
    this.table =
      existing === undefined
        ? newTable(this, retention.table === "retain")
        : Table.fromTableName(this, "Existing", existing);
    this.files = new RunFiles(this, "Files", { runDays: retention.runDays });
  }

  /**
   * Gives a function the table's name, and permission for these actions and for queries of the indexes in `queried`.
   */
  grant(fn: ServiceFunction, actions: TableAction[], ...queried: IndexName[]): void {
    this.#allow(fn, actions);
    if (queried.length > 0) {
      fn.allow(
        ["dynamodb:Query"],
        queried.map((index) => `${this.table.tableArn}/index/${index}`),
      );
    }
  }

  /**
   * Gives a function the table's name, and permission for these actions on some items only: the partition key must
   * match one of `patterns` and none of `except`. In a pattern, `*` matches any text.
   */
  grantPartitions(
    fn: ServiceFunction,
    patterns: readonly string[],
    actions: TableAction[],
    except: readonly string[] = [],
  ): void {
    this.#allow(fn, actions, {
      "ForAllValues:StringLike": { "dynamodb:LeadingKeys": patterns },
      ...(except.length > 0 && { "ForAllValues:StringNotLike": { "dynamodb:LeadingKeys": except } }),
    });
  }

  #allow(fn: ServiceFunction, actions: TableAction[], conditions?: Conditions): void {
    const names = actions.map((action) => `dynamodb:${action}`);
    fn.allow(names, [this.table.tableArn], conditions);
    fn.addEnvironment("TABLE_NAME", this.table.tableName);
  }
}

function newTable(scope: Construct, isKept: boolean): ITable {
  const { partitionKey, sortKey } = keysOf(tableSchema.KeySchema);
  const table = new Table(scope, "Table", {
    partitionKey,
    sortKey,
    billingMode: BillingMode.PAY_PER_REQUEST,
    encryption: TableEncryption.AWS_MANAGED,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    timeToLiveAttribute: TTL_ATTRIBUTE,
    deletionProtection: isKept,
    removalPolicy: isKept ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
  });
  for (const { IndexName, KeySchema, Projection } of tableSchema.GlobalSecondaryIndexes ?? []) {
    const { NonKeyAttributes: nonKeyAttributes, ProjectionType: type } = Projection ?? {};
    table.addGlobalSecondaryIndex({
      indexName: IndexName as string,
      ...keysOf(KeySchema),
      projectionType: type as ProjectionType,
      ...(nonKeyAttributes && { nonKeyAttributes }),
    });
  }
  // The types of CDK don't support exactOptionalPropertyTypes.
  return table as ITable;
}

type KeySchema = typeof tableSchema.KeySchema;

function keysOf(schema: KeySchema) {
  const key = (type: "HASH" | "RANGE") => {
    const name = schema?.find(({ KeyType }) => KeyType === type)?.AttributeName as string;
    const kind = tableSchema.AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name);
    return { name, type: kind?.AttributeType as AttributeType };
  };
  return { partitionKey: key("HASH"), sortKey: key("RANGE") };
}
