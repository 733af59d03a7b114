import type { Inspection, InspectionRequest } from "../../functions/contract/inspection.ts";
import type { Api } from "./api.ts";

/** An inspection takes up to a minute; its answer has to arrive, too. */
const TIMEOUT_MS = 90_000;

export type InspectionBody = Partial<Omit<InspectionRequest, "definition">> & { definition?: unknown };

/** What a page or a scraper does. */
export async function inspect(api: Api, body: InspectionBody): Promise<Inspection> {
  const request = { method: "POST", body, timeoutMs: TIMEOUT_MS } as const;
  return (await api.json<Inspection>("/v1/inspections", request)).body;
}
