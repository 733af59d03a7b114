import { SSMClient } from "@aws-sdk/client-ssm";
import { clientOptions } from "./client-options.ts";
import { tracer } from "./observe.ts";
import { once } from "./once.ts";

export const ssm = once(() => tracer.captureAWSv3Client(new SSMClient(clientOptions)));
