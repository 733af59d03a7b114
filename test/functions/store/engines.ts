import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CreateTableCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { test } from "@jest/globals";
import { openTable, type Table, tableSchema } from "../../../functions/store/table.ts";
import { TABLE_NAME } from "../../../local/backend.ts";
import { type Engine, local, startTable } from "./local-table.ts";

const dynoxidePath = findDynoxide();
const dynoxide: Engine = {
  name: "dynoxide",
  start: dynoxidePath ? () => startDynoxide(dynoxidePath) : undefined,
};

/** A table on each engine; where an engine can't be had, its `test` skips. */
export async function startTables(): Promise<{ name: string; table: Table; test: typeof test }[]> {
  const tables = [];
  for (const engine of [local, dynoxide]) {
    const available = engine.start !== undefined;
    tables.push({
      name: engine.name,
      table: available ? await startTable(engine) : (undefined as never),
      test: available ? test : (test.skip as typeof test),
    });
  }
  return tables;
}

function findDynoxide(): string | undefined {
  try {
    const path = join(
      dirname(createRequire(import.meta.url).resolve("@dynoxide/linux-x64/package.json")),
      "dynoxide",
    );
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}

async function startDynoxide(path: string) {
  const port = await freePort();
  const server = spawn(path, ["serve", "--port", String(port)], { stdio: "ignore" });
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    credentials: { accessKeyId: "local", secretAccessKey: "local" },
  });
  await untilListening(server, port);
  await client.send(
    new CreateTableCommand({ TableName: TABLE_NAME, BillingMode: "PAY_PER_REQUEST", ...tableSchema }),
  );
  return {
    table: openTable(client, TABLE_NAME),
    async stop() {
      client.destroy();
      server.kill();
      await once(server, "exit");
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

async function untilListening(server: ChildProcess, port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    if (server.exitCode !== null) throw new Error(`dynoxide exited with ${server.exitCode}`);
    const answered = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    );
    if (answered) return;
    await sleep(50);
  }
  throw new Error("dynoxide does not listen");
}
