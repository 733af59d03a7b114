import { deleteSession } from "../../../api/sessions/delete-session.ts";
import { sessionRoutes } from "../../../contract/sessions/session-routes.ts";
import { apiLambda } from "../api-lambda.ts";

export const handler = apiLambda<"deleteSession">(sessionRoutes.deleteSession, deleteSession);
