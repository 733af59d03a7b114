import { handlers } from "../../functions/api/handlers.ts";
import { httpHandler } from "../../functions/api/http.ts";
import { type RouteName, routes } from "../../functions/contract/routes.ts";

export interface ApiCall {
  key: string;
  /** The `id` of the path. */
  id: string;
  body: string | null;
}

/** Calls the handler of a route as API Gateway does. Returns the body of its answer. */
export async function callHandler(
  name: RouteName,
  { key, id, body }: ApiCall,
  deps: Parameters<typeof httpHandler>[2],
): Promise<string> {
  const event = {
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    pathParameters: { id },
    queryStringParameters: null,
    body,
    isBase64Encoded: false,
    requestContext: { requestId: "bench" },
  };
  const answer = await httpHandler(routes[name], handlers[name] as never, deps)(event as never, {} as never);
  const chunks = typeof answer.body === "string" ? [answer.body] : await answer.body.toArray();
  return chunks.join("");
}
