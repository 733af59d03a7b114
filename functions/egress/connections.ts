import { Agent, type ClientRequest, type ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { Target } from "./address-policy.ts";

/** Request options as our pools get them: with the target that the policy let through. */
export interface TargetedArgs extends ClientRequestArgs {
  target: Target;
}

/**
 * Connections of a run, kept for reuse or used once. A kept connection goes on to the address that was checked when
 * it was opened, so only opening one needs a look-up.
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
      // An agent takes it for granted that a new socket has the agent's time-out.
      socket.setTimeout(this.#timeout);
      done(null, socket);
    }, done);
  }

  override reuseSocket(socket: Duplex, request: ClientRequest): void {
    super.reuseSocket(socket, request);
    // While nobody used it, it had the few seconds that the site keeps it for: no time for an answer.
    (socket as Socket).setTimeout(this.#timeout);
  }
}
