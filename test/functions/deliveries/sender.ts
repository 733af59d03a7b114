import { createGoogle } from "../../../functions/deliveries/google-sheets/google.ts";
import { sendSheet } from "../../../functions/deliveries/google-sheets/send-sheet.ts";
import { sendTable } from "../../../functions/deliveries/postgres/send-table.ts";
import { s3Writer } from "../../../functions/deliveries/s3.ts";
import { sendFile } from "../../../functions/deliveries/send-file.ts";
import type { Table } from "../../../functions/store/table.ts";
import type { Attempt } from "./attempts.ts";
import { rowsFrom, senderOf, titleOf } from "./sending.ts";

/*
 * A process that makes one attempt to send the rows of a run. It prints a line before each part of the rows, and what it has
 * done at the end.
 */

const {
  settings,
  host,
  secret,
  google,
  rows: count,
  run,
  length = 0,
}: Attempt = JSON.parse(process.argv[2] as string);
const rows = {
  columns: ["sku", "title"],
  key: ["sku"],
  ...rowsFrom(
    count,
    (index) => ({ sku: `${index}`, title: titleOf(index, run, length) }),
    () => console.log("part"),
  ),
};
const egress = { allowHosts: [host] };
const deps = {
  readSecrets: async () => new Map([["key", { value: secret, hosts: [] }]]),
  egress,
  google: createGoogle(egress, google),
};
/** Only one process sends, so it holds each destination. */
const held = { name: "held", db: { send: async () => ({ Attributes: {} }) } } as unknown as Table;

async function send() {
  switch (settings.type) {
    case "postgres":
      return sendTable(senderOf(settings, rows, run), deps);
    case "google_sheets":
      return sendSheet(senderOf(settings, rows, run), deps);
    case "s3": {
      const sending = { ...senderOf(settings, rows, run), table: held };
      return sendFile(sending, settings.prefix, await s3Writer(deps, "demo", settings));
    }
    case "folder":
      throw new Error("A folder needs no server.");
  }
}

console.log(JSON.stringify(await send()));
