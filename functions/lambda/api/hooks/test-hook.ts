import { testHook } from "../../../api/hooks/test-hook.ts";
import { hookRoutes } from "../../../contract/hooks/hook-routes.ts";
import { plainQueues } from "../../bindings/queues.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"testHook">(hookRoutes.testHook, testHook, { queues: plainQueues() });
