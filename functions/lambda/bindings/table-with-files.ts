import { S3Client } from "@aws-sdk/client-s3";
import type { FileStore } from "../../store/files.ts";
import type { Bucket } from "../../store/files-bucket.ts";
import type { Table } from "../../store/table.ts";
import { clientOptions } from "./client-options.ts";
import { filesBucket } from "./environment.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { traced } from "./x-ray.ts";

/** The response to an upload begins when it has ended. */
const options = { requestHandler: { ...clientOptions.requestHandler, requestTimeout: 60_000 } };

/** The bucket with the files of runs. The client is created on first use. */
export const bucket = once((): Bucket => ({ s3: traced(new S3Client(options)), name: filesBucket }));

/** The table of the service, with what this function may do with the files of runs. */
export const tableWithFiles = (files: Partial<FileStore>): Table => ({
  get name() {
    return table.name;
  },
  get db() {
    return table.db;
  },
  files: { ...table.files, ...files },
});
