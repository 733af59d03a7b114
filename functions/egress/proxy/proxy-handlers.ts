import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Route } from "../connect/route.ts";
import { EgressError, toEgressError } from "../egress-error.ts";
import { parseAuthority, type Target, targetName } from "../policy/address-policy.ts";
import { answerConnect, answerRequest } from "./answer.ts";
import { Connections } from "./connections.ts";
import type { MayReach } from "./egress.ts";
import type { Failures } from "./failures.ts";
import { Exchange } from "./forward-request.ts";
import type { Meter } from "./meter.ts";
import { firstBytes, openTunnel } from "./open-tunnel.ts";
import type { Tunnels } from "./tunnels.ts";

export interface ProxyHandlersOptions {
  /** The target of a request. @throws EgressError if the request is refused */
  admit: (url: URL | null) => Target;
  route: Route;
  failures: Failures;
  meter: Meter;
  idleMs: number;
  mayReach: MayReach;
  tunnels: Tunnels;
  /** Gets the requests that are under way. */
  exchanges: Set<Exchange>;
  /** Whether a WebSocket to this host and port may send. */
  maySocketSend: (authority: string) => boolean;
}

/** The listeners of the forward proxy's server, for plain requests and for CONNECT. */
export function proxyHandlers(options: ProxyHandlersOptions) {
  const { admit, route, failures, meter, idleMs, tunnels } = options;
  const connections = new Connections(idleMs);
  const recorder = (url: URL | null) => (error: EgressError | null) => {
    if (url !== null) failures.record(targetName(url), error);
  };

  return {
    async onRequest(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
      const url = URL.parse(incoming.url as string);
      const onOutcome = recorder(url);
      try {
        const target = admit(url);
        const isAllowed = options.mayReach(target.name);
        if (isAllowed !== true && !(await isAllowed)) throw notNamed(target);
        const forwardOptions = { target, url: url as URL, route, connections, idleMs, meter, onOutcome };
        const exchange = new Exchange(incoming, response, forwardOptions);
        options.exchanges.add(exchange);
        response.once("close", () => options.exchanges.delete(exchange));
        void exchange.run();
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
        const target = admit(url);
        const maySocketSend = () => options.maySocketSend(target.name);
        const isAllowed = options.mayReach(target.name);
        if (isAllowed !== true) {
          const hello = await firstBytes({ client, head, idleMs, maySocketSend });
          if (hello === undefined || !(await isAllowed)) return void client.destroy();
          head = hello;
        }
        const outside = await route.tunnel(target);
        onOutcome(null);
        // Meanwhile, a secret may have been filled in.
        const isStillAllowed = isAllowed === true ? options.mayReach(target.name) : true;
        if (isStillAllowed !== true && !(await isStillAllowed)) {
          outside.destroy();
          return void client.destroy();
        }
        const isEstablished = isAllowed !== true;
        tunnels.add(
          target.name,
          openTunnel({ client, head, outside, meter, idleMs, maySocketSend, isEstablished }),
        );
      } catch (error) {
        const known = toEgressError(error, "the site");
        onOutcome(known);
        answerConnect(client, known);
      }
    },
  };
}

const notNamed = ({ name }: Target) =>
  new EgressError("bad_request", `${name} was not named by a request that was checked`);
