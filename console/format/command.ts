import { isLoopback } from "../../functions/egress/policy/is-loopback.ts";
import { serviceFacts } from "../api/service-facts.ts";

/** A text as one argument in a POSIX shell. */
export const quoted = (text: string): string =>
  /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** A command for the machine of the service, with its data folder, if it is not the usual one. */
export function operatorCommand(command: string): string {
  const { dataFolder } = serviceFacts();
  return dataFolder === undefined ? command : `${command} --data ${quoted(dataFolder)}`;
}

/**
 * A command for the computer of whoever uses the console.
 * @param page the address of the console
 */
export const userCommand = (command: string, page: Pick<Location, "hostname" | "origin">): string =>
  isLoopback(page.hostname) ? operatorCommand(command) : `${command} --url ${page.origin}`;
