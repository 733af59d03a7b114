import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_FOLDER } from "../../lib/project-folder.ts";
import { type PermissionProxy, startPermissionProxy } from "./permission-proxy.ts";
import { policiesOf } from "./policies.ts";
import { cached, freePort, Missing, readJson, run, start, until, which } from "./tools.ts";
import { KEPT_TABLE } from "./variants.ts";

/** The version that this script was written with. */
const VERSION = "1.5.33";
const ACCOUNT = "000000000000";
const REGION = "us-east-1";
const STACK = "gleaner-prod";

/** The stack, deployed on a MiniStack of this machine. */
export interface Deployed {
  /** Where CDK has put the template and the functions' files. */
  assembly: string;
  environment: Record<string, string>;
  /** Calls a function by its logical id, and returns its answer. */
  invoke(functionId: string, event: object): Promise<Record<string, unknown>>;
  /** Runs the command line on the stack. */
  gleaner(...args: string[]): Promise<string>;
  /** The environment variables of a function, by its logical id: those of the stack, and those to call AWS as it. */
  variables(functionId: string): Promise<Record<string, string>>;
  /** What MiniStack answers about a function, by its logical id. */
  configuration(functionId: string): Promise<Record<string, unknown>>;
  /** The physical names of the stack's resources, by logical id. */
  names: ReadonlyMap<string, string>;
  /** What the functions have called, judged by the policies of the template. */
  permissions: PermissionProxy;
  /** Stops or starts the functions that take messages from queues. */
  setQueues(enabled: boolean): Promise<void>;
  /** Updates the stack to another variant, or creates it again. */
  update(variant: Variant): Promise<void>;
  destroy(variant: Variant): Promise<void>;
  stop(): Promise<void>;
}

/** A stack of emulator-app.ts. All have the same name. */
export type Variant = "first" | "changed" | "restored";

/** The MiniStack that is installed, or one in the cache. */
async function findMiniStack(): Promise<string> {
  const installed = await which("ministack");
  if (installed !== undefined) return installed;
  const python = await which("python3");
  if (python === undefined) throw new Missing("MiniStack needs Python 3");
  return cached(`ministack-${VERSION}`, "bin/ministack", async (folder) => {
    await run(python, ["-m", "venv", folder]);
    await run(join(folder, "bin", "pip"), ["install", "--quiet", `ministack==${VERSION}`]);
  });
}

/** Bootstraps an account, and deploys the stack into it. `allowHosts`: what scrapes and webhooks may reach. */
export async function deployOnMiniStack(allowHosts: string[]): Promise<Deployed> {
  const program = await findMiniStack();
  const folder = await mkdtemp(join(tmpdir(), "gleaner-verify-"));
  const endpoint = `http://127.0.0.1:${await freePort()}`;
  const permissions = await startPermissionProxy(endpoint, { account: ACCOUNT, region: REGION });
  const server = await startServer(program, folder, endpoint, permissions.url);
  const stop = async () => {
    permissions.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await deploy(folder, endpoint, allowHosts, permissions)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServer(program: string, folder: string, endpoint: string, proxy: string) {
  const node = join(folder, "node");
  const shim = new URL("node-shim.mjs", import.meta.url).href;
  await writeFile(node, `#!/bin/sh\nexec '${process.execPath}' --import '${shim}' "$@"\n`);
  await chmod(node, 0o755);
  const server = start(program, [], {
    cwd: folder,
    env: {
      ...process.env,
      PATH: `${folder}:${process.env.PATH}`,
      GLEANER_PERMISSION_PROXY: proxy,
      BIND_HOST: "127.0.0.1",
      GATEWAY_PORT: new URL(endpoint).port,
    },
  });
  await until("the start of MiniStack", async () => ((await fetch(endpoint)).status > 0 ? true : undefined));
  return server;
}

async function deploy(
  folder: string,
  endpoint: string,
  allowHosts: string[],
  permissions: PermissionProxy,
): Promise<Omit<Deployed, "stop">> {
  const environment = {
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_REGION: REGION,
  };
  const env = { ...process.env, ...environment, ALLOW_HOSTS: allowHosts.join(",") };
  const assembly = join(folder, "cdk.out");
  // npm scripts have the project's Node.js first in PATH.
  const app = "node test/verify-aws/emulator-app.ts";
  // Whoever deploys may keep new files to themselves.
  const cdk = (...args: string[]) =>
    run("sh", ["-c", 'umask 077 && exec npx cdk "$@"', "sh", ...args], { cwd: PROJECT_FOLDER, env });
  const deployVariant = (variant: Variant) =>
    cdk("deploy", variant, "--app", assembly, "--require-approval", "never");
  await cdk("synth", "--quiet", "--app", app, "--output", assembly);
  await cdk("bootstrap", `aws://${ACCOUNT}/${REGION}`);
  await deployVariant("first");

  const ask = async (path: string, init: RequestInit = {}) => {
    const authorization = `AWS4-HMAC-SHA256 Credential=test/20260101/${REGION}/lambda/aws4_request, SignedHeaders=host, Signature=0`;
    const response = await fetch(endpoint + path, { ...init, headers: { authorization } });
    return (await response.json()) as Record<string, unknown>;
  };
  const names = await resourceNames(endpoint);
  const template = await readJson(join(assembly, "first.template.json"));
  permissions.enforce(policiesOf(template, names, { account: ACCOUNT, region: REGION }));
  const nameOf = (id: string) => {
    const name = names.get(id);
    if (name === undefined) throw new Error(`The stack has no resource ${id}`);
    return name;
  };
  return {
    assembly,
    environment,
    names,
    permissions,
    configuration: (id) => ask(`/2015-03-31/functions/${nameOf(id)}/configuration`),
    async variables(id) {
      const { Environment } = await ask(`/2015-03-31/functions/${nameOf(id)}/configuration`);
      const { Variables } = Environment as { Variables: Record<string, string> };
      return {
        ...Variables,
        ...environment,
        AWS_ENDPOINT_URL: permissions.url,
        AWS_ACCESS_KEY_ID: nameOf(id),
      };
    },
    invoke: (id, event) =>
      ask(`/2015-03-31/functions/${nameOf(id)}/invocations`, {
        method: "POST",
        body: JSON.stringify(event),
      }),
    async gleaner(...args) {
      const command = [join(PROJECT_FOLDER, "bin", "gleaner.js"), ...args, "--stack", STACK];
      return (await run(process.execPath, command, { env })).stdout;
    },
    async setQueues(enabled) {
      const { EventSourceMappings } = await ask("/2015-03-31/event-source-mappings/");
      for (const { UUID } of EventSourceMappings as { UUID: string }[])
        await ask(`/2015-03-31/event-source-mappings/${UUID}`, {
          method: "PUT",
          body: JSON.stringify({ Enabled: enabled }),
        });
    },
    async update(variant) {
      if (variant === "restored") await useKeptTable(assembly, names);
      await deployVariant(variant);
      for (const [id, name] of await resourceNames(endpoint)) names.set(id, name);
      const newer = await readJson(join(assembly, `${variant}.template.json`));
      permissions.enforce(policiesOf(newer, names, { account: ACCOUNT, region: REGION }));
    },
    destroy: async (variant) => void (await cdk("destroy", variant, "--app", assembly, "--force")),
  };
}

/** Writes the name of the table that the destroyed stack has left into the variant that uses it. */
async function useKeptTable(assembly: string, names: ReadonlyMap<string, string>): Promise<void> {
  const [, table = ""] = [...names].find(([id]) => id.startsWith("StoreTable")) ?? [];
  const path = join(assembly, "restored.template.json");
  await writeFile(path, (await readFile(path, "utf8")).replaceAll(KEPT_TABLE, table));
}

/** The physical name of each resource, by its logical id. */
async function resourceNames(endpoint: string): Promise<Map<string, string>> {
  const { CloudFormationClient, DescribeStackResourcesCommand } = await import(
    "@aws-sdk/client-cloudformation"
  );
  const client = new CloudFormationClient({
    endpoint,
    region: REGION,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  const { StackResources = [] } = await client.send(new DescribeStackResourcesCommand({ StackName: STACK }));
  client.destroy();
  return new Map(
    StackResources.map(({ LogicalResourceId = "", PhysicalResourceId = "" }) => [
      LogicalResourceId,
      PhysicalResourceId,
    ]),
  );
}
