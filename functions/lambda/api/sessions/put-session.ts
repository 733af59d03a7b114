import { putSession } from "../../../api/sessions/put-session.ts";
import { sessionRoutes } from "../../../contract/sessions/session-routes.ts";
import { sessionKey } from "../../../sessions/session-key.ts";
import { issueTicket } from "../../../store/tickets.ts";
import { now } from "../../bindings/now.ts";
import { table } from "../../bindings/table.ts";
import { ticketedSecrets } from "../../bindings/ticketed-secrets.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"putSession">(sessionRoutes.putSession, putSession, {
  sessionKey: async (account) =>
    sessionKey(ticketedSecrets(await issueTicket(table, account, now())), account),
});
