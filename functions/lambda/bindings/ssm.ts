import { SSMClient } from "@aws-sdk/client-ssm";
import { clientOptions } from "./client-options.ts";
import { once } from "./once.ts";
import { traced } from "./x-ray.ts";

export const ssm = once(() => traced(new SSMClient(clientOptions)));
