import { listSessions } from "../../../api/sessions/list-sessions.ts";
import { sessionRoutes } from "../../../contract/sessions/session-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"listSessions">(sessionRoutes.listSessions, listSessions);
