import { readFileSync } from "node:fs";
import { client } from "./gleaner/client.gen";

/* Makes each call of calls.json with the generated function of its route, and prints its status. */
const sdk = await import("./gleaner");
client.setConfig({ baseUrl: process.env.GLEANER_URL ?? "", auth: process.env.GLEANER_KEY ?? "" });
for (const { operation, id, body } of JSON.parse(readFileSync("calls.json", "utf8"))) {
  const { response, error } = await sdk[operation]({ path: { id }, body });
  console.log(operation, error === undefined ? response.status : JSON.stringify(error));
}
