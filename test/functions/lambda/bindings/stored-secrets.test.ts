import {
  DeleteParameterCommand,
  GetParametersByPathCommand,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from "@aws-sdk/client-ssm";
import { afterAll, beforeEach, expect, jest, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { readSecrets } from "../../../../functions/lambda/bindings/stored-secrets.ts";
import { toStored } from "../../../../functions/secrets/secret.ts";
import { ssmSecrets } from "../../../../local/secrets/ssm-secrets.ts";

const ssm = mockClient(SSMClient);
afterAll(() => ssm.restore());
const path = "/gleaner/prod/secrets";

beforeEach(() => {
  ssm.reset();
  process.env.SECRETS_PATH = path;
  process.env.AWS_REGION = "us-east-1";
});

const stored = (account: string, name: string) => ({
  Name: `${path}/${account}/${name}`,
  Value: toStored({ value: `value of ${name}`, hosts: ["shop.example"] }),
});

test("a run gets the secrets that it names, of its own account, on as many pages as there are", async () => {
  ssm
    .on(GetParametersByPathCommand)
    .resolvesOnce({ Parameters: [stored("acme", "one"), stored("acme", "two")], NextToken: "more" })
    .resolvesOnce({ Parameters: [stored("acme", "three")] });
  const found = await readSecrets("acme", ["three", "one", "none"]);
  expect(Object.fromEntries(found)).toEqual({
    three: { value: "value of three", hosts: ["shop.example"] },
    one: { value: "value of one", hosts: ["shop.example"] },
  });
  const inputs = ssm.commandCalls(GetParametersByPathCommand).map(({ args }) => args[0].input);
  expect(inputs).toEqual([
    { Path: `${path}/acme`, WithDecryption: true, NextToken: undefined },
    { Path: `${path}/acme`, WithDecryption: true, NextToken: "more" },
  ]);
});

test("an account's secrets are read once a minute, however many runs use them; a failure is not kept", async () => {
  const clock = jest.spyOn(performance, "now");
  const reads = () => ssm.commandCalls(GetParametersByPathCommand).length;
  try {
    clock.mockReturnValue(1e9);
    ssm
      .on(GetParametersByPathCommand)
      .rejectsOnce(new Error("throttled"))
      .resolves({ Parameters: [stored("busy", "one")] });
    await expect(readSecrets("busy", ["one"])).rejects.toThrow("throttled");
    const found = await Promise.all(Array.from({ length: 50 }, () => readSecrets("busy", ["one"])));
    expect(found.every((secrets) => secrets.has("one"))).toBe(true);
    clock.mockReturnValue(1e9 + 59_999);
    await readSecrets("busy", ["two"]);
    expect(reads()).toBe(2);
    clock.mockReturnValue(1e9 + 60_000);
    await readSecrets("busy", ["one"]);
    expect(reads()).toBe(3);
    await readSecrets("other", ["one"]);
    expect(reads()).toBe(4);
  } finally {
    clock.mockRestore();
  }
});

test("the command line sets, lists and removes encrypted parameters", async () => {
  const secrets = ssmSecrets(new SSMClient(), path);
  const secret = { value: "hunter2", hosts: ["shop.example"] };
  await secrets.put("acme", "key", secret, new Date());
  expect(ssm.commandCalls(PutParameterCommand)[0]?.args[0].input).toEqual({
    Name: `${path}/acme/key`,
    Type: "SecureString",
    Value: toStored(secret),
    Overwrite: true,
  });

  const page = (name: string) => ({
    Parameters: [
      {
        Name: `${path}/acme/${name}`,
        Value: toStored(secret),
        LastModifiedDate: new Date("2030-01-01T00:00:00Z"),
      },
    ],
  });
  ssm
    .on(GetParametersByPathCommand)
    .resolvesOnce({ ...page("b"), NextToken: "more" })
    .resolvesOnce(page("a"));
  expect(await secrets.list("acme")).toEqual([
    { name: "a", hosts: ["shop.example"], set_at: "2030-01-01T00:00:00.000Z" },
    { name: "b", hosts: ["shop.example"], set_at: "2030-01-01T00:00:00.000Z" },
  ]);
  expect(ssm.commandCalls(GetParametersByPathCommand)[1]?.args[0].input).toMatchObject({
    Path: `${path}/acme`,
    NextToken: "more",
  });

  expect(await secrets.remove("acme", "key")).toBe(true);
  ssm.on(DeleteParameterCommand).rejects(new ParameterNotFound({ message: "", $metadata: {} }));
  expect(await secrets.remove("acme", "key")).toBe(false);
});
