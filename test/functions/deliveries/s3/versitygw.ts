import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { cached, freePort, run, start, until } from "../../../verify-aws/tools.ts";

const VERSION = "v1.8.0";
export const REGION = "eu-central-1";
export const KEY = { accessKeyId: "AKIAGLEANER", secretAccessKey: "secret/key+of=the:bucket" };

/** A Versity S3 Gateway of this machine, whose objects are files in a folder of its own, with a bucket. Needs Go, the first time. */
export async function startS3(bucket: string) {
  const program = await cached(`versitygw-${VERSION}`, "versitygw", (folder) =>
    run("go", ["install", `github.com/versity/versitygw/cmd/versitygw@${VERSION}`], {
      env: { ...process.env, GOBIN: folder },
    }),
  );
  const root = await mkdtemp(join(tmpdir(), "gleaner-s3-"));
  const data = join(root, "data");
  const sidecar = join(root, "attributes");
  await mkdir(data);
  await mkdir(sidecar);
  const host = `127.0.0.1:${await freePort()}`;
  const begin = async () => {
    const keys = ["--access", KEY.accessKeyId, "--secret", KEY.secretAccessKey, "--region", REGION];
    const server = start(program, [...keys, "--port", host, "posix", "--sidecar", sidecar, data], {
      cwd: root,
    });
    try {
      await until("The start of versitygw", () => fetch(`http://${host}/`));
    } catch (error) {
      throw new Error(server.output(), { cause: error });
    }
    return server;
  };
  let server = await begin();
  const client = new S3Client({
    region: REGION,
    endpoint: `http://${host}`,
    forcePathStyle: true,
    credentials: KEY,
  });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    host,
    client,
    kill: () => server.stop(),
    /** Starts the server again with the same data. */
    async restart() {
      await server.stop();
      server = await begin();
    },
    async stop() {
      client.destroy();
      await server.stop();
      await rm(root, { recursive: true });
    },
  };
}
