import type { ApiHandler } from "../types.ts";
import { deliveriesOf, findRunOrBatch } from "./ended.ts";

export const getRunWebhook: ApiHandler<"getRunWebhook"> = async ({ account, id }, { table, now }) => ({
  json: await deliveriesOf(table, await findRunOrBatch(table, { account, id }), now()),
});
