import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { openTable, type Table } from "../../store/table.ts";
import { clientOptions } from "./client-options.ts";
import { tableName } from "./environment.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

const opened = once(() => openTable(traced(new DynamoDBClient(clientOptions)), tableName()));

const notPermitted = () => Promise.reject(new Error("This function has no permission to access files."));

/** The table of the service, without the files of runs. The client is created on first use. */
export const table: Table = {
  get name() {
    return opened().name;
  },
  get db() {
    return opened().db;
  },
  files: {
    put: notPermitted,
    read: notPermitted,
    remove: notPermitted,
  },
};
