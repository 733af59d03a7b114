import type { Inspection, InspectionRequest } from "../../functions/contract/inspections/inspection.ts";
import type { Api } from "./api.ts";

/** An inspection takes up to 60 seconds. The rest is for the transfer of the response. */
const TIMEOUT_MS = 90_000;

export type InspectionBody = Partial<Omit<InspectionRequest, "definition">> & { definition?: unknown };

/** Inspects a page or a scraper: runs it on few rows, and stores nothing. */
export async function inspect(api: Api, body: InspectionBody): Promise<Inspection> {
  const request = { method: "POST", body, timeoutMs: TIMEOUT_MS } as const;
  return (await api.json<Inspection>("/v1/inspections", request)).body;
}
