import { sendTable } from "../../../../functions/deliveries/postgres/send-table.ts";
import { rowsFrom, senderOf, settingsFor } from "./sending.ts";
import { PASSWORD } from "./server.ts";

/*
 * A process that makes one attempt to send the rows of a run. It prints a line before each part of the rows, and what it has
 * done at the end.
 */

const [port, mode, count, run] = process.argv.slice(2);
const rows = rowsFrom(
  Number(count),
  (index) => ({ sku: `${index}`, title: `Lamp ${index} of run ${run}` }),
  () => console.log("part"),
);
const settings = settingsFor(Number(port), mode as never, { user: "postgres" });
const sending = senderOf(settings, { columns: ["sku", "title"], key: ["sku"], ...rows }, Number(run));
const sent = await sendTable(sending, {
  readSecrets: async () => new Map([["db", { value: PASSWORD, hosts: [] }]]),
  egress: { allowHosts: [`127.0.0.1:${port}`] },
});
console.log(JSON.stringify(sent));
