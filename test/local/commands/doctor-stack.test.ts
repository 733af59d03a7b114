import { execFile } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { PROJECT_FOLDER } from "../../../lib/project-folder.ts";
import type { Finding } from "../../../local/commands/doctor/finding.ts";
import { type Site, startSite } from "../../site/site.ts";

/* What `gleaner doctor --stack` finds out about an account of AWS. */

const CHECKS = join(PROJECT_FOLDER, "local", "commands", "doctor", "stack.ts");
const STACK = "gleaner-prod";
let aws: Site;
let outputs: Record<string, string> | undefined;

beforeAll(async () => {
  aws = await startSite();
  aws.setRoute("/", async (request, response) => {
    await text(request);
    const members = Object.entries(outputs ?? {}).map(
      ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
    );
    const [status, xml] =
      outputs === undefined
        ? [
            400,
            `<ErrorResponse><Error><Code>ValidationError</Code><Message>Stack with id ${STACK} does not exist</Message></Error></ErrorResponse>`,
          ]
        : [
            200,
            `<DescribeStacksResponse><DescribeStacksResult><Stacks><member><Outputs>${members.join("")}</Outputs></member></Stacks></DescribeStacksResult></DescribeStacksResponse>`,
          ];
    response.writeHead(status as number, { "content-type": "text/xml" }).end(xml);
  });
});
beforeEach(() => {
  outputs = { BaseUrl: aws.url("/api"), ConcurrentExecutions: "13" };
});
afterAll(() => aws.close());

const answerAs = (path: string, status: number, body: object) =>
  aws.setRoute(path, (_, response) => {
    const headers = {
      "content-type": "application/json",
      "x-amzn-errortype": "InvalidParameterValueException",
    };
    response.writeHead(status, headers).end(JSON.stringify(body));
  });
/** Runs a check in a process of its own, because the SDK reads the environment of the process. */
async function check(
  name: "region" | "deployed" | "concurrency",
  AWS_REGION = "eu-central-1",
): Promise<Finding> {
  const code = `import { ${name} } from ${JSON.stringify(CHECKS)};
    console.log(JSON.stringify(await ${name}(${JSON.stringify(STACK)})));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", code], {
    env: {
      AWS_REGION,
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_ENDPOINT_URL: aws.origin,
    },
  });
  return JSON.parse(stdout);
}
const layers = "/2018-10-31/layers";

test("a region without Node.js 24 is a problem, and one outside of the commercial regions has to be looked at", async () => {
  answerAs(layers, 200, { Layers: [] });
  expect(await check("region")).toMatchObject({
    state: "ok",
    message: expect.stringContaining("eu-central-1"),
  });
  expect(await check("region", "us-gov-west-1")).toMatchObject({
    state: "warning",
    advice: expect.stringContaining("CloudFront"),
  });
  answerAs(layers, 400, { message: "Value nodejs24.x at 'compatibleRuntime' failed to satisfy constraint" });
  expect(await check("region", "us-gov-west-1")).toMatchObject({
    state: "problem",
    message: "us-gov-west-1 has no Node.js 24 for Lambda",
  });
});

test("an account with a smaller quota than the stack's executions is told what is throttled", async () => {
  const settings = (ConcurrentExecutions: number) =>
    answerAs("/2016-08-19/account-settings", 200, { AccountLimit: { ConcurrentExecutions } });
  settings(10);
  expect(await check("concurrency")).toMatchObject({
    state: "warning",
    message: expect.stringMatching(/executes 10 functions .* but the stack up to 13\. Lambda throttles/),
  });
  settings(13);
  expect(await check("concurrency")).toMatchObject({ state: "ok" });
  outputs = undefined;
  expect(await check("concurrency")).toMatchObject({ state: "note" });
});

test("a stack whose API and console respond is fine; one that is not deployed is only mentioned", async () => {
  answerAs("/api/v1/health", 200, { status: "ok" });
  expect(await check("deployed")).toMatchObject({ state: "ok" });
  outputs = { ...outputs, ConsoleUrl: aws.url("/console") };
  answerAs("/console/", 502, {});
  expect(await check("deployed")).toMatchObject({
    state: "problem",
    message: expect.stringMatching(/console\/ responded with 502$/),
  });
  outputs = undefined;
  expect(await check("deployed")).toMatchObject({ state: "note", message: expect.stringContaining(STACK) });
});
