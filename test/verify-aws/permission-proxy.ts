import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { callsOf } from "./aws-calls.ts";
import type { Allows, AwsCall } from "./policies.ts";

export interface PermissionProxy {
  url: string;
  /** From now on, what the policies do not allow is refused. Also looks at all calls before. */
  enforce(allows: Allows): void;
  /** The different calls that were allowed, and those that were refused or not known, as text. */
  calls: { allowed: Set<string>; refused: Set<string> };
  close(): void;
}

/** Stands before an emulator of AWS. The id of the access key in a signature is the name of the function that calls. */
export async function startPermissionProxy(
  target: string,
  place: { account: string; region: string },
): Promise<PermissionProxy> {
  const calls = { allowed: new Set<string>(), refused: new Set<string>() };
  const before: { caller: string; call: AwsCall }[] = [];
  let policies: Allows | undefined;
  const judge = (caller: string, call: AwsCall, allows: Allows): boolean => {
    const isAllowed = allows(caller, call);
    const keys = (call.context["dynamodb:LeadingKeys"] ?? []).join(", ");
    const text = `${caller}: ${call.action} on ${call.resource} ${keys}`.trim();
    calls[isAllowed ? "allowed" : "refused"].add(text);
    return isAllowed;
  };
  const mayPass = (incoming: IncomingMessage, body: string): boolean => {
    const [, caller = "", service = ""] =
      /Credential=([^/]+)\/\d+\/[^/]+\/([^/]+)\//.exec(incoming.headers.authorization ?? "") ?? [];
    const { method = "", url = "" } = incoming;
    const made = callsOf(
      { method, url, service, target: String(incoming.headers["x-amz-target"] ?? ""), body },
      place,
    );
    const allows = policies;
    if (allows !== undefined) return made.map((call) => judge(caller, call, allows)).every(Boolean);
    before.push(...made.map((call) => ({ caller, call })));
    return true;
  };
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming);
    try {
      if (mayPass(incoming, body.toString())) return forward(target, incoming, body, outgoing);
    } catch (error) {
      calls.refused.add((error as Error).message);
    }
    outgoing
      .writeHead(403, { "content-type": "application/x-amz-json-1.0" })
      .end(JSON.stringify({ __type: "AccessDeniedException", message: "The policies do not allow this." }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    enforce(allows) {
      policies = allows;
      for (const { caller, call } of before.splice(0)) judge(caller, call, allows);
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(target: string, incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const { "transfer-encoding": _, ...sent } = headers;
  const passed = request(
    target + url,
    { method, headers: { ...sent, "content-length": body.length } },
    (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    },
  );
  passed.on("error", (error) => outgoing.destroy(error));
  passed.end(body);
}
