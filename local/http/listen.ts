import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { UsageError } from "../data/data-folder.ts";
import { portProblem } from "../port-problem.ts";

/**
 * Starts a server, and returns its base URL.
 * @param option the option that sets the port, for messages
 * @throws UsageError if the address or the port can't be used
 */
export async function listen(
  server: Server,
  { port, host, option }: { port: number; host: string; option: string },
): Promise<string> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    const { code = "" } = cause as NodeJS.ErrnoException;
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new UsageError(`--host ${host} is not an address of this machine.`, { cause });
    }
    const reason = portProblem(code);
    if (reason === undefined) throw cause;
    throw new UsageError(
      `Port ${port} ${reason}. Choose another one with ${option}, or 0 for any free one.`,
      {
        cause,
      },
    );
  }
  return `http://${host.includes(":") ? `[${host}]` : host}:${(server.address() as AddressInfo).port}`;
}

/** Stops a server, with its open connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
