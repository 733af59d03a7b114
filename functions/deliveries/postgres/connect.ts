import type { LookupAddress } from "node:dns";
import { Socket } from "node:net";
import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import { pinned, resolveChecked, systemLookups } from "../../egress/connect/resolve.ts";
import { createPolicy } from "../../egress/policy/address-policy.ts";
import { authorityOf } from "../../egress/policy/authority.ts";
import { DeliveryFailure } from "../delivery.ts";
import type { DestinationDeps } from "../destinations.ts";
import { secretFor } from "../secret-for.ts";
import { explained } from "./explained.ts";

type Postgres = DeliveryOf<"postgres">;

/** A connection to a database. */
export interface Database {
  /** The rows of a statement; none of several statements. @throws DeliveryFailure or EgressError, caused by that of pg */
  query<R extends object>(sql: string, values?: unknown[]): Promise<R[]>;
}

const CONNECT_MS = 15_000;

/** A socket that connects to checked addresses only. */
class PinnedSocket extends Socket {
  readonly #addresses: LookupAddress[];

  constructor(addresses: LookupAddress[]) {
    super();
    this.#addresses = addresses;
  }

  /** As pg calls it. */
  override connect(...args: unknown[]): this {
    const [port, host] = args as [number, string];
    return super.connect({ port, host, lookup: pinned(this.#addresses) });
  }
}

/**
 * Connects to the database of a destination, does work, and disconnects; also when the signal aborts, which rolls an open
 * transaction back. @throws DeliveryFailure or EgressError
 */
export async function withDatabase<T>(
  deps: Pick<DestinationDeps, "readSecrets" | "egress">,
  account: string,
  settings: Postgres,
  signal: AbortSignal,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  const { host, port, user, database, tls } = settings;
  const { lookup = systemLookups, ...policy } = deps.egress;
  const authority = authorityOf(host, port);
  const target = createPolicy({ ...policy, allowPorts: [port] })(new URL(`http://${authority}`));
  if (tls === "disable" && !target.exempt)
    throw new DeliveryFailure(
      `Without TLS, rows are sent only to a host that the operator of the service allows with --allow-host ${authority}. Remove "tls", or use "require".`,
    );
  const password = await secretFor(deps.readSecrets, account, settings.secret, `https://${authority}`);
  const socket = new PinnedSocket(await resolveChecked(target, lookup, CONNECT_MS));
  // Imported on first use, because most processes write to no database.
  const { Client } = await import("pg");
  const client = new Client({
    ...{ host, port, user, database, password },
    ssl: tls === "disable" ? false : { rejectUnauthorized: tls === "verify-full" },
    stream: () => socket,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    application_name: "gleaner",
  });
  const stop = () => void socket.destroy();
  signal.addEventListener("abort", stop);
  // Queries report what happens to the connection.
  client.on("error", () => {});
  const attempt = async <R>(action: () => Promise<R>): Promise<R> => {
    try {
      signal.throwIfAborted();
      return await action();
    } catch (error) {
      signal.throwIfAborted();
      throw explained(error, settings, authority);
    }
  };
  try {
    await attempt(() => client.connect());
    const done = await work({
      query: (sql, values) => attempt(async () => (await client.query(sql, values)).rows),
    });
    await attempt(() => client.end());
    return done;
  } finally {
    signal.removeEventListener("abort", stop);
    socket.destroy();
  }
}
