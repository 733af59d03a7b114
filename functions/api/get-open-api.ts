import document from "../../openapi.json" with { type: "json" };
import type { ApiHandler } from "./types.ts";

/** The document names the address at which the client reaches this service. */
export const getOpenApi: ApiHandler<"getOpenApi"> = async ({ headers }) => {
  const { host, "x-forwarded-proto": protocol = "http" } = headers;
  return {
    json: host === undefined ? document : { ...document, servers: [{ url: `${protocol}://${host}` }] },
  };
};
