import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { upstreamFor } from "../../functions/lambda/upstream-proxies.ts";

const ssm = mockClient(SSMClient);
const germany = { type: "residential", country: "Germany", url: "http://user:secret@de.example.net:8000" };
const anywhere = { type: "residential", url: "http://user:secret@any.example.net:8000" };

beforeEach(() => {
  process.env.PROXIES_PARAMETER = "/gleaner/proxies";
  process.env.AWS_REGION = "us-east-1";
});
afterEach(() => {
  delete process.env.PROXIES_PARAMETER;
});

test("takes the first proxy whose type and country fit, and reads the list once", async () => {
  // A failure is not kept.
  ssm.on(GetParameterCommand).rejectsOnce(new Error("throttled"));
  await expect(upstreamFor({ type: "residential" })).rejects.toThrow("throttled");

  ssm.on(GetParameterCommand).resolves({ Parameter: { Value: JSON.stringify([germany, anywhere]) } });
  expect(await upstreamFor({ type: "none" })).toBeUndefined();
  expect(await upstreamFor({ type: "residential", country: "Germany" })).toEqual({ url: germany.url });
  expect(await upstreamFor({ type: "residential", country: "France" })).toEqual({ url: anywhere.url });
  expect(await upstreamFor({ type: "residential" })).toEqual({ url: anywhere.url });
  expect(ssm.commandCalls(GetParameterCommand)).toHaveLength(2);
  expect(ssm.commandCalls(GetParameterCommand)[0]?.args[0].input).toMatchObject({ WithDecryption: true });
});

test("fails a run that asks for a proxy nobody has set up, without a word of the others", async () => {
  const missing = upstreamFor({ type: "datacenter", country: "Peru" });
  await expect(missing).rejects.toMatchObject({ code: "navigation_failed" });
  await expect(missing).rejects.toThrow(/No proxy of type datacenter in Peru is set up/);
  await expect(missing).rejects.not.toThrow(/secret|example\.net/);
});
