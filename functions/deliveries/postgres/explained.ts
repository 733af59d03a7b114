import type { DeliveryOf } from "../../contract/scrapers/delivery.ts";
import { EgressError, toEgressError } from "../../egress/egress-error.ts";
import { DeliveryFailure } from "../delivery.ts";

type Postgres = DeliveryOf<"postgres">;

/** What pg's errors have; those of the server have a SQLSTATE as their code. */
export interface PgError extends Error {
  code?: string;
  severity?: string;
  detail?: string;
  column?: string;
}

/** Codes of OpenSSL and Node for certificates that are not trusted. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH/;

/**
 * An error of pg as a sentence that says what a person can do, with the error as its cause. The server's own words say which table,
 * column or value it is about.
 */
export function explained(
  error: unknown,
  settings: Postgres,
  authority: string,
): DeliveryFailure | EgressError {
  if (error instanceof DeliveryFailure || error instanceof EgressError) return error;
  const { code = "", severity, message } = error as PgError;
  if (severity !== undefined)
    return new DeliveryFailure(ofServer(error as PgError, settings), { cause: error });
  if (/does not support SSL/.test(message))
    return new DeliveryFailure(
      `${authority} offers no TLS. Enable it there ("ssl = on"), or set "tls": "disable" if the operator of the service allows this host.`,
    );
  if (CERTIFICATE.test(code))
    return new DeliveryFailure(
      `The certificate of ${authority} is not trusted: ${code}. Use one for this host by a known authority, or set "tls": "require", which encrypts and does not check it.`,
    );
  if (message === "timeout expired")
    return new EgressError("timeout", `${authority} did not accept a connection in time`);
  if (/^(?:E[A-Z]+|HPE_\w+)$/.test(code)) return toEgressError(error, authority);
  return new DeliveryFailure(`The connection to ${authority} failed: ${code || message}.`, { cause: error });
}

const dotted = (text: string) => text.replace(/[^.!?]$/, "$&.");

/** The sentence for an error that the server reports. */
function ofServer({ code = "", message, detail, column }: PgError, settings: Postgres): string {
  const { user, database, schema, table, secret } = settings;
  const said = dotted(detail === undefined ? message : `${dotted(message)} ${detail}`);
  const advice: Record<string, string> = {
    "28P01": `The server refused the user ${user} with the password in the secret "${secret}". Correct the user, or set the secret again.`,
    "28000": `The server lets the user ${user} not in: ${said} Correct the user, or the server's pg_hba.conf.`,
    "3D000": `The server has no database ${database}. Create it, or correct the destination.`,
    "3F000": `The database has no schema ${schema}. Create it, or correct the destination.`,
    "42501": `The user ${user} lacks a right: ${said} The user needs USAGE and, for tables that are made, CREATE on the schema ${schema}, and SELECT, INSERT, UPDATE and DELETE on ${table} and gleaner_deliveries. Only the owner of a table can have columns added to it.`,
    "42P10": `The table ${table} has no unique index on exactly the fields of the list's key. Create one, or remove the table so that it is made again.`,
    "21000": `Two rows of the run are the same by the types of the key's columns: ${said} Make these columns text, or change the key.`,
    "23502": `The column ${column} of ${table} must not be empty, and a row has no value for it. Allow NULL in it, or mark the field as required.`,
    "25006": `The server only reads. Name the primary server as the host.`,
    "53300": `The server has too many connections: ${said} It is tried again.`,
    "55P03": `Another process locks the table ${table}. It is tried again.`,
    "57014": `The server ended a statement that took too long: ${said} It is tried again.`,
  };
  if (advice[code] !== undefined) return advice[code];
  if (code.startsWith("22")) return `A value does not fit the type of its column: ${said}`;
  if (code.startsWith("23"))
    return `A row does not keep a rule of the table ${table}: ${said} Change the rule, or the rows.`;
  return `The server refused the rows with ${code}: ${said}`;
}
