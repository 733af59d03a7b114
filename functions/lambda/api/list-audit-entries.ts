import { listAuditEntries } from "../../api/list-audit-entries.ts";
import { auditRoutes } from "../../contract/audit/audit-routes.ts";
import { apiLambda } from "./api-lambda.ts";

export const handler = apiLambda<"listAuditEntries">(auditRoutes.listAuditEntries, listAuditEntries);
