import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { afterAll, afterEach, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { upstreamProxies } from "../../../../functions/lambda/bindings/upstream-proxies.ts";

const ssm = mockClient(SSMClient);
afterAll(() => ssm.restore());
const proxies = [{ type: "residential", country: "Germany", url: "http://user:secret@de.example.net:8000" }];
const holds = (Value: string) => ssm.on(GetParameterCommand).resolves({ Parameter: { Value } });

beforeEach(() => {
  process.env.PROXIES_PARAMETER = "/gleaner/proxies";
  process.env.AWS_REGION = "us-east-1";
});
afterEach(() => {
  delete process.env.PROXIES_PARAMETER;
});

test("the list is read once, and a failure is not kept", async () => {
  ssm.on(GetParameterCommand).rejectsOnce(new Error("throttled"));
  await expect(upstreamProxies()).rejects.toThrow("throttled");

  holds(JSON.stringify(proxies).slice(0, -1));
  const broken = upstreamProxies();
  await expect(broken).rejects.toMatchObject({ code: "proxy_failed" });
  await expect(broken).rejects.not.toThrow(/secret|example\.net/);

  holds(JSON.stringify(proxies));
  expect(await upstreamProxies()).toEqual(proxies);
  expect(await upstreamProxies()).toEqual(proxies);
  expect(ssm.commandCalls(GetParameterCommand)).toHaveLength(3);
  expect(ssm.commandCalls(GetParameterCommand)[2]?.args[0].input).toMatchObject({ WithDecryption: true });
});
