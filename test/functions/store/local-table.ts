import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "@jest/globals";
import type { Table } from "../../../functions/store/table.ts";
import { openLocalTable, tableOf } from "../../../local/backend.ts";

export interface Engine {
  name: string;
  /** Undefined where the engine can't be had. */
  start: (() => Promise<{ table: Table; stop(): Promise<void> }>) | undefined;
}

/** The one that the local service has. */
export const local: Engine = {
  name: "the local table",
  async start() {
    const folder = await mkdtemp(join(tmpdir(), "gleaner-store-"));
    const dynamoDb = openLocalTable(join(folder, "table.sqlite"));
    return {
      table: tableOf(dynamoDb),
      async stop() {
        dynamoDb.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};

/** A table on an engine that runs until the tests of this file are over. */
export async function startTable({ name, start }: Engine = local): Promise<Table> {
  if (start === undefined) throw new Error(`${name} can't be had here.`);
  const { table, stop } = await start();
  afterAll(stop);
  return table;
}
