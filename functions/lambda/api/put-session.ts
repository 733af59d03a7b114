import { putSession } from "../../api/sessions/put-session.ts";
import { sessionRoutes } from "../../contract/session-routes.ts";
import { sessionKey } from "../../sessions/session-key.ts";
import { issueTicket } from "../../store/tickets.ts";
import { now } from "../now.ts";
import { table } from "../table.ts";
import { ticketedSecrets } from "../ticketed-secrets.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"putSession">(sessionRoutes.putSession, putSession, {
  sessionKey: async (account) =>
    sessionKey(ticketedSecrets(await issueTicket(table, account, now())), account),
});
