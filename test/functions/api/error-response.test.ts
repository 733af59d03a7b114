import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  ResourceNotFoundException,
} from "@aws-sdk/client-dynamodb";
import { expect, test } from "@jest/globals";
import { errorResponse } from "../../../functions/api/error-response.ts";
import type { HttpResponse } from "../../../functions/api/types.ts";
import { TableOverloaded } from "../../../functions/store/table.ts";

/** The response to a request that fails like this. */
async function responseTo(error: Error): Promise<HttpResponse> {
  const request = { event: { requestContext: { requestId: "id" } }, error, response: undefined };
  await errorResponse({ log: { info() {}, error() {} } }).onError?.(request as never);
  return request.response as unknown as HttpResponse;
}

const metadata = { message: "Sorry", $metadata: {} };

test.each([
  ["a throttled table", new ProvisionedThroughputExceededException(metadata)],
  ["a rate that is exceeded", Object.assign(new Error("Rate exceeded"), { name: "ThrottlingException" })],
  ["a table that fails", new InternalServerError(metadata)],
  ["an overloaded table", new TableOverloaded("It did not return all items.")],
  ["a request without an answer", Object.assign(new Error("No answer"), { name: "TimeoutError" })],
  ["a connection that is lost", Object.assign(new Error("socket hang up"), { code: "ECONNRESET" })],
])("%s: 503, and when to try again", async (_, error) => {
  expect(await responseTo(error)).toMatchObject({ statusCode: 503, headers: { "retry-after": "30" } });
});

test.each([
  ["a table that is gone", new ResourceNotFoundException(metadata)],
  ["an error of the service", new TypeError("x is undefined")],
])("%s: 500", async (_, error) => {
  expect(await responseTo(error)).toMatchObject({ statusCode: 500 });
});
