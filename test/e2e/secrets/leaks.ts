import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import type { Table } from "../../../functions/store/table.ts";

/** A place where something may have come out, and all that was found there. */
export type Sinks = Record<string, (string | Buffer)[]>;

/** The ways in which a value may stand somewhere. */
const forms: Record<string, (value: string) => string> = {
  plain: (value) => value,
  "percent-encoded": encodeURIComponent,
  "in a form": (value) => new URLSearchParams({ value }).toString().slice("value=".length),
  "in JSON": (value) => JSON.stringify(value).slice(1, -1),
  "in HTML": (value) => value.replaceAll("&", "&amp;").replaceAll('"', "&quot;"),
  "base 64": (value) => Buffer.from(value).toString("base64").replace(/=+$/, ""),
  "base 64 for addresses": (value) => Buffer.from(value).toString("base64url"),
};

/** Where a value stands, as `sink: form`, whatever its case. */
export function findIn(sinks: Sinks, value: string): string[] {
  return Object.entries(sinks).flatMap(([name, contents]) => {
    const texts = contents.map((content) => Buffer.from(content).toString("latin1").toLowerCase());
    const found = Object.entries(forms).filter(([, write]) => {
      // As the bytes that stand in a file.
      const bytes = Buffer.from(write(value)).toString("latin1").toLowerCase();
      return texts.some((text) => text.includes(bytes));
    });
    return found.map(([form]) => `${name}: ${form}`);
  });
}

/** Every file below a folder, as it is. */
export async function filesIn(folder: string): Promise<Buffer[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
}

/** Every item of a table as text, with what is compressed in it unpacked. */
export async function itemsOf({ db, name: TableName }: Table): Promise<string[]> {
  const items: string[] = [];
  for (let next: Record<string, unknown> | undefined, isFirst = true; isFirst || next; isFirst = false) {
    const page = await db.send(new ScanCommand({ TableName, ExclusiveStartKey: next, ConsistentRead: true }));
    for (const item of page.Items ?? []) {
      const binaries = Object.values(item).filter((value) => value instanceof Uint8Array);
      items.push(JSON.stringify(item), ...binaries.map(unpack));
    }
    next = page.LastEvaluatedKey;
  }
  return items;
}

function unpack(bytes: Uint8Array): string {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return (isGzip ? gunzipSync(bytes) : Buffer.from(bytes)).toString();
}
