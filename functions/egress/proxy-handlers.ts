import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { parseAuthority, type Target, targetName } from "./address-policy.ts";
import { answerConnect, answerRequest } from "./answer.ts";
import { Connections } from "./connections.ts";
import { type EgressError, toEgressError } from "./egress-error.ts";
import type { Failures } from "./failures.ts";
import { forwardRequest } from "./forward-request.ts";
import type { Meter } from "./meter.ts";
import { openTunnel } from "./open-tunnel.ts";
import type { Route } from "./route.ts";

export interface ProxyHandlersOptions {
  /** The target of a request. @throws EgressError if the request is refused */
  admit: (url: URL | null) => Target;
  route: Route;
  failures: Failures;
  meter: Meter;
  idleMs: number;
  /** Whether a WebSocket to this host and port may send. */
  maySocketSend: (authority: string) => boolean;
}

/** The listeners of the forward proxy's server, for plain requests and for CONNECT. */
export function proxyHandlers(options: ProxyHandlersOptions) {
  const { admit, route, failures, meter, idleMs } = options;
  const kept = new Connections(route.connect, { keepAlive: true, timeout: idleMs });
  const single = new Connections(route.connect, { keepAlive: false, timeout: idleMs });
  const recorder = (url: URL | null) => (error: EgressError | null) => {
    if (url !== null) failures.record(targetName(url), error);
  };

  return {
    onRequest(incoming: IncomingMessage, response: ServerResponse): void {
      const url = URL.parse(incoming.url as string);
      const onOutcome = recorder(url);
      try {
        const target = admit(url);
        const options = { target, url: url as URL, route, kept, single, idleMs, meter, onOutcome };
        forwardRequest(incoming, response, options);
      } catch (error) {
        const known = toEgressError(error, "the site");
        onOutcome(known);
        answerRequest(response, known);
      }
    },

    async onConnect(incoming: IncomingMessage, client: Socket, head: Buffer): Promise<void> {
      client.on("error", () => client.destroy());
      const url = parseAuthority(incoming.url as string);
      const onOutcome = recorder(url);
      try {
        const outside = await route.tunnel(admit(url));
        onOutcome(null);
        const maySocketSend = () => url === null || options.maySocketSend(targetName(url));
        openTunnel({ client, head, outside, meter, idleMs, maySocketSend });
      } catch (error) {
        const known = toEgressError(error, "the site");
        onOutcome(known);
        answerConnect(client, known);
      }
    },
  };
}
