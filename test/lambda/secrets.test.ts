import {
  DeleteParameterCommand,
  GetParametersByPathCommand,
  GetParametersCommand,
  ParameterNotFound,
  PutParameterCommand,
  SSMClient,
} from "@aws-sdk/client-ssm";
import { afterAll, beforeEach, expect, test } from "@jest/globals";
import { mockClient } from "aws-sdk-client-mock";
import { readSecrets } from "../../functions/lambda/secrets.ts";
import { toStored } from "../../functions/secrets/secret.ts";
import { ssmSecrets } from "../../local/ssm-secrets.ts";

const ssm = mockClient(SSMClient);
afterAll(() => ssm.restore());
const path = "/gleaner/prod/secrets";

beforeEach(() => {
  ssm.reset();
  process.env.SECRETS_PATH = path;
  process.env.AWS_REGION = "us-east-1";
});

test("a run reads the secrets that it names, of its own account, ten at a time", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `key-${index}`);
  ssm.on(GetParametersCommand).callsFake(({ Names }: { Names: string[] }) => ({
    Parameters: Names.filter((name) => !name.endsWith("/key-3")).map((Name) => ({
      Name,
      Value: toStored({ value: `value of ${Name}`, hosts: ["shop.example"] }),
    })),
    InvalidParameters: Names.filter((name) => name.endsWith("/key-3")),
  }));
  const found = await readSecrets("acme", names);
  expect([...found.keys()]).toEqual(names.filter((name) => name !== "key-3"));
  expect(found.get("key-11")).toEqual({ value: `value of ${path}/acme/key-11`, hosts: ["shop.example"] });
  const inputs = ssm.commandCalls(GetParametersCommand).map(({ args }) => args[0].input);
  expect(inputs.map(({ Names }) => Names?.length)).toEqual([10, 2]);
  for (const input of inputs) expect(input.WithDecryption).toBe(true);
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
