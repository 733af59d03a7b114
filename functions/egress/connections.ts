import { Agent, type ClientRequest, type ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Target } from "./address-policy.ts";

/** Request options with the target that the policy allows. */
export interface TargetedArgs extends ClientRequestArgs {
  target: Target;
}

/**
 * The connections of a run, for reuse or for a single request. A reused connection leads to the address that was checked
 * when it was opened, so only new connections need a lookup.
 */
export class Connections extends Agent {
  readonly #open: (target: Target) => Promise<Socket>;
  readonly #timeout: number;

  constructor(
    open: (target: Target) => Promise<Socket>,
    { keepAlive, timeout }: { keepAlive: boolean; timeout: number },
  ) {
    super({ keepAlive, timeout });
    this.#open = open;
    this.#timeout = timeout;
  }

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): undefined {
    const done = callback as (error: Error | null, stream?: Duplex) => void;
    this.#open((options as TargetedArgs).target).then((socket) => {
      // An agent assumes that a new socket has the agent's timeout.
      socket.setTimeout(this.#timeout);
      done(null, socket);
    }, done);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    // An idle socket has the short keep-alive timeout of the site, which is too short for a response.
    (socket as Socket).setTimeout(this.#timeout);
  }
}
