import {
  type AttributeValue,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { indexes } from "../../../functions/store/table.ts";
import { pick, type Random } from "../../e2e/chaos/random.ts";

type Attributes = Record<string, AttributeValue>;

/** Names and values of one request, in the order in which its expressions refer to them. */
class Placeholders {
  readonly names: Record<string, string> = {};
  readonly values: Attributes = {};

  value(value: AttributeValue): string {
    const name = `:v${Object.keys(this.values).length}`;
    this.values[name] = value;
    return name;
  }

  name(name: string): string {
    const reference = `#n${Object.keys(this.names).length}`;
    this.names[reference] = name;
    return reference;
  }

  get fields() {
    return {
      ...(Object.keys(this.names).length > 0 && { ExpressionAttributeNames: this.names }),
      ...(Object.keys(this.values).length > 0 && { ExpressionAttributeValues: this.values }),
    };
  }
}

const NAMES = ["a", "b", "c", "n", "l", "m", "s"];
/** The names whose paths have indexes. */
const LISTS = new Set(["a", "l", "n"]);
const TEXTS = ["", "a", "ab", "b", "é", "z", "10", "9", "\u{1F600}"];
const NUMBERS = ["0", "1", "-1", "1.50", "10", "9", "1e3", "0.1", "-0.25", "123456789012345678901234567890"];

/** A Scan with this filter. */
export const scanFor = (TableName: string, FilterExpression: string) =>
  new ScanCommand({ TableName, FilterExpression });

/** Requests of all kinds about few items, so that most of them meet something. */
export class RandomRequests {
  readonly #random: Random;
  readonly #table: string;

  constructor(random: Random, table: string) {
    this.#random = random;
    this.#table = table;
  }

  next() {
    const kind = pick(this.#random, [
      () => new PutItemCommand({ ...this.#put(), ReturnValues: this.#one(["NONE", "ALL_OLD"]) }),
      () => this.#update(),
      () => this.#update(),
      () => this.#update(),
      () => new DeleteItemCommand({ ...this.#delete(), ReturnValues: this.#one(["NONE", "ALL_OLD"]) }),
      () => this.#get(),
      () => this.#query(),
      () => this.#query(),
      () => this.#scan(),
      () => this.#transactWrite(),
      () => this.#transactWrite(),
      () => this.#transactGet(),
      () => this.#batchGet(),
      () => this.#batchWrite(),
    ]);
    const command = kind();
    // Of a projected item, dynoxide counts what it returns, and DynamoDB the item.
    if (!("ProjectionExpression" in command.input)) command.input.ReturnConsumedCapacity = "INDEXES";
    return command;
  }

  #one<T>(choices: readonly T[]): T {
    return pick(this.#random, choices);
  }

  #chance(probability: number): boolean {
    return this.#random() < probability;
  }

  #times(most: number): number[] {
    return Array.from({ length: 1 + Math.floor(this.#random() * most) }, (_, at) => at);
  }

  #key(): Attributes {
    return { pk: { S: this.#one(["p1", "p2"]) }, sk: { S: this.#one(["a", "ab", "b", "bé", "z"]) } };
  }

  #value(depth = 0): AttributeValue {
    const kinds: (() => AttributeValue)[] = [
      () => ({ S: this.#one(TEXTS) }),
      () => ({ S: this.#one(TEXTS) }),
      () => ({ N: this.#one(NUMBERS) }),
      () => ({ N: this.#one(NUMBERS) }),
      () => ({ B: Buffer.from(this.#one(["", "a", "ab", "b"])) }),
      () => ({ BOOL: this.#chance(0.5) }),
      // Not in an item itself: dynoxide makes a map of it when an update sets something inside.
      () => (depth > 0 ? { NULL: true } : { BOOL: true }),
      () => ({ SS: [...new Set(this.#times(3).map(() => this.#one(["a", "b", "c"])))] }),
      () => ({ NS: [...new Set(this.#times(3).map(() => this.#one(["1", "2", "3"])))] }),
      () => ({ BS: [Buffer.from(this.#one(["a", "b"]))] }),
      () => ({ L: this.#times(3).map(() => this.#value(depth + 1)) }),
      () => ({
        M: Object.fromEntries(this.#times(2).map(() => [this.#one(["a", "b"]), this.#value(depth + 1)])),
      }),
    ];
    return this.#one(depth > 1 ? kinds.slice(0, 7) : kinds)();
  }

  /** A value of a type that has an order. */
  #ordered(): AttributeValue {
    return this.#one([{ S: this.#one(TEXTS) }, { N: this.#one(NUMBERS) }, { B: Buffer.from("ab") }]);
  }

  #set(): AttributeValue {
    return this.#one([{ SS: ["a", "d"] }, { NS: ["1", "4"] }, { BS: [Buffer.from("a")] }]);
  }

  #item(): Attributes {
    const item: Attributes = { ...this.#key() };
    for (const _ of this.#times(4)) item[this.#one(NAMES)] = this.#value();
    if (this.#chance(0.5)) item.due = { S: this.#one(["RUN", "SCHEDULE"]) };
    if (this.#chance(0.5)) item.due_at = { S: this.#one(["1", "2", "3"]) };
    if (this.#chance(0.1)) item.due_at = this.#one([{ N: "1" }, { NULL: true }, { SS: ["1"] }]);
    if (this.#chance(0.5)) Object.assign(item, { id: { S: "id" }, account: { S: "me" } });
    if (this.#chance(0.4)) {
      item.scraper_runs = { S: this.#one(["r1", "r2"]) };
      item.scraper_number = { S: this.#one(["1", "2", "3"]) };
    }
    if (this.#chance(0.02)) item.big = { S: "x".repeat(this.#one([390, 410]) * 1024) };
    return item;
  }

  #path(to: Placeholders): string {
    const name = this.#one(NAMES);
    const shown = this.#chance(0.1) ? to.name(name) : name;
    if (this.#chance(0.75)) return shown;
    // Never both of one name, because dynoxide doesn't see that such paths conflict; nor far behind the end of a list,
    // where DynamoDB adds one element and dynoxide several.
    return LISTS.has(name) ? `${shown}[${this.#one([0, 1])}]` : `${shown}.${this.#one(["a", "b"])}`;
  }

  #operand(to: Placeholders): string {
    if (this.#chance(0.1)) return `size(${this.#path(to)})`;
    return this.#chance(0.6) ? this.#path(to) : to.value(this.#value());
  }

  #condition(to: Placeholders, depth = 0): string {
    const nested = () => this.#condition(to, depth + 1);
    const kinds = [
      () => `${this.#path(to)} ${this.#one(["=", "<>"])} ${to.value(this.#value())}`,
      () => `${this.#operand(to)} ${this.#one(["=", "<>"])} ${this.#operand(to)}`,
      () => `${this.#path(to)} ${this.#one(["<", "<=", ">", ">="])} ${to.value(this.#ordered())}`,
      () => `${this.#path(to)} ${this.#one(["<", "<=", ">", ">="])} ${this.#path(to)}`,
      () => `attribute_exists(${this.#path(to)})`,
      () => `attribute_not_exists(${this.#path(to)})`,
      () => `attribute_type(${this.#path(to)}, ${to.value({ S: this.#one(["S", "N", "SS", "M", "NULL"]) })})`,
      () => `begins_with(${this.#path(to)}, ${to.value({ S: this.#one(TEXTS) })})`,
      () => `contains(${this.#path(to)}, ${to.value(this.#value())})`,
      () =>
        `${this.#path(to)} BETWEEN ${to.value({ N: "-1" })} AND ${to.value({ N: this.#one(["0", "10"]) })}`,
      () => `${this.#path(to)} in (${to.value(this.#value())}, ${to.value(this.#value())})`,
      () => `NOT ${nested()}`,
      () => `(${nested()} OR ${nested()})`,
      () => `${nested()} AND ${nested()}`,
    ];
    return this.#one(depth > 1 ? kinds.slice(0, 11) : kinds)();
  }

  /** Fields of a conditional write. */
  #conditional(to: Placeholders, likely = 0.5) {
    return {
      TableName: this.#table,
      ...(this.#chance(likely) && { ConditionExpression: this.#condition(to) }),
      ...to.fields,
      ReturnValuesOnConditionCheckFailure: this.#one(["NONE", "ALL_OLD"] as const),
    };
  }

  #put() {
    return { Item: this.#item(), ...this.#conditional(new Placeholders()) };
  }

  #delete() {
    return { Key: this.#key(), ...this.#conditional(new Placeholders()) };
  }

  #source(to: Placeholders): string {
    const kinds = [
      () => to.value(this.#value()),
      () => to.value(this.#value()),
      () => this.#path(to),
      () => `if_not_exists(${this.#path(to)}, ${to.value(this.#value())})`,
      () => `list_append(${this.#path(to)}, ${to.value({ L: [{ S: "new" }] })})`,
      () => `${this.#path(to)} + ${to.value({ N: this.#one(NUMBERS) })}`,
      () => `if_not_exists(${this.#path(to)}, ${to.value({ N: "1" })}) - ${to.value({ N: "0.1" })}`,
    ];
    return this.#one(kinds)();
  }

  #changes(to: Placeholders): string {
    const sections: string[] = [];
    if (this.#chance(0.7)) {
      sections.push(
        `SET ${this.#times(2)
          .map(() => `${this.#path(to)} = ${this.#source(to)}`)
          .join(", ")}`,
      );
    }
    if (this.#chance(0.3)) sections.push(`REMOVE ${this.#one(["a", "b", "n, c", "l"])}`);
    if (this.#chance(0.3))
      sections.push(
        `ADD ${this.#one(NAMES)} ${to.value(this.#one([{ N: this.#one(NUMBERS) }, this.#set()]))}`,
      );
    if (this.#chance(0.2)) sections.push(`DELETE ${this.#one(NAMES)} ${to.value(this.#set())}`);
    if (this.#chance(0.2))
      sections.push(sections.some((one) => one.startsWith("REMOVE")) ? "" : "REMOVE due");
    return sections.join(" ") || `SET due = ${to.value({ S: "RUN" })}, due_at = ${to.value({ S: "2" })}`;
  }

  /** An update for a transaction: one part, because dynoxide doesn't see there that two overlap. */
  #change(to: Placeholders): string {
    return this.#one([
      () => `SET ${this.#path(to)} = ${this.#source(to)}`,
      () => `SET due = ${to.value({ S: "RUN" })}, due_at = ${to.value({ S: "2" })} REMOVE a`,
      () => `ADD ${this.#one(NAMES)} ${to.value({ N: this.#one(NUMBERS) })}`,
      () => `DELETE ${this.#one(NAMES)} ${to.value(this.#set())}`,
    ])();
  }

  #updateFields(changes = (to: Placeholders) => this.#changes(to)) {
    const to = new Placeholders();
    const UpdateExpression = changes(to);
    return { Key: this.#key(), UpdateExpression, ...this.#conditional(to, 0.3) };
  }

  #update() {
    // Without ALL_OLD: of an item that is new, dynoxide returns its key.
    const ReturnValues = this.#one(["NONE", "ALL_NEW", "UPDATED_OLD", "UPDATED_NEW"] as const);
    return new UpdateItemCommand({ ...this.#updateFields(), ReturnValues });
  }

  #projection(to: Placeholders) {
    if (this.#chance(0.7)) return {};
    return { ProjectionExpression: this.#one(["a", `${to.name("b")}, m.a`, "l[0], l[1]", "pk, sk, s"]) };
  }

  #get() {
    const to = new Placeholders();
    const projection = this.#projection(to);
    return new GetItemCommand({ TableName: this.#table, Key: this.#key(), ...projection, ...to.fields });
  }

  #page(to: Placeholders) {
    const filter = this.#chance(0.3) && { FilterExpression: this.#condition(to) };
    return {
      TableName: this.#table,
      ...filter,
      ...this.#projection(to),
      ...(this.#chance(0.4) && { Limit: this.#one([1, 2, 3]) }),
    };
  }

  #query() {
    const to = new Placeholders();
    const onTable = {
      IndexName: undefined,
      hash: "pk",
      range: "sk",
      hashes: ["p1", "p2"],
      ranges: ["a", "b", "é"],
    };
    const index = this.#one([
      onTable,
      onTable,
      {
        IndexName: indexes.due,
        hash: "due",
        range: "due_at",
        hashes: ["RUN", "SCHEDULE"],
        ranges: ["1", "2", "3"],
      },
      {
        IndexName: indexes.runsByScraper,
        hash: "scraper_runs",
        range: "scraper_number",
        hashes: ["r1", "r2"],
        ranges: ["1", "2", "3"],
      },
    ]);
    const text = () => to.value({ S: this.#one(index.ranges) });
    const range = this.#one([
      () => "",
      () => ` AND ${index.range} ${this.#one(["=", "<", "<=", ">", ">="])} ${text()}`,
      () => ` AND begins_with(${index.range}, ${text()})`,
      () => ` AND ${index.range} BETWEEN ${text()} AND ${text()}`,
    ])();
    const KeyConditionExpression = `${index.hash} = ${to.value({ S: this.#one(index.hashes) })}${range}`;
    return new QueryCommand({
      KeyConditionExpression,
      IndexName: index.IndexName,
      ScanIndexForward: this.#chance(0.5),
      ...this.#page(to),
      ...to.fields,
    });
  }

  #scan() {
    const to = new Placeholders();
    const { Limit: _, ...page } = this.#page(to) as { Limit?: number; TableName: string };
    return new ScanCommand({ ...page, ...to.fields });
  }

  #transactWrite() {
    const action = this.#one([
      () => ({ Put: this.#put() }),
      () => ({ Update: this.#updateFields((to) => this.#change(to)) }),
      () => ({ Delete: this.#delete() }),
      () => ({ ConditionCheck: { Key: this.#key(), ...this.#conditional(new Placeholders(), 1) } }),
    ]);
    const TransactItems = this.#times(3).map(() => action());
    return new TransactWriteItemsCommand({ TransactItems } as never);
  }

  #transactGet() {
    const TransactItems = this.#times(3).map(() => ({ Get: { TableName: this.#table, Key: this.#key() } }));
    return new TransactGetItemsCommand({ TransactItems });
  }

  #batchGet() {
    const Keys = this.#times(3).map(() => this.#key());
    return new BatchGetItemCommand({ RequestItems: { [this.#table]: { Keys } } });
  }

  #batchWrite() {
    const writes = this.#times(3).map(() =>
      this.#chance(0.7) ? { PutRequest: { Item: this.#item() } } : { DeleteRequest: { Key: this.#key() } },
    );
    return new BatchWriteItemCommand({ RequestItems: { [this.#table]: writes } });
  }
}
