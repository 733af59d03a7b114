import { readFileSync } from "node:fs";
import createClient from "openapi-fetch";

/* Makes each call of calls.json with openapi-fetch, and prints its status. */
const client = createClient({
  baseUrl: process.env.GLEANER_URL ?? "",
  headers: { authorization: `Bearer ${process.env.GLEANER_KEY}` },
});
const parsers = { getRunScreenshot: "blob", getReference: "text" };
for (const { operation, method, path, id, body } of JSON.parse(readFileSync("calls.json", "utf8"))) {
  const options = { params: { path: { id } }, body, parseAs: parsers[operation] ?? "json" };
  const { response, error } = await client.request(method.toLowerCase(), path, options);
  console.log(operation, error === undefined ? response.status : JSON.stringify(error));
}
