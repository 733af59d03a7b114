import type { DestinationDeps } from "../../deliveries/destinations.ts";
import { createGoogle } from "../../deliveries/google-sheets/google.ts";
import { issueTicket } from "../../store/tickets.ts";
import { allowHosts } from "./environment.ts";
import { now } from "./now.ts";
import { once } from "./once.ts";
import { table } from "./table.ts";
import { ticketedSecrets } from "./ticketed-secrets.ts";

/** What sending rows to destinations needs. A function has no folder to write to. */
export const destinations = once((): DestinationDeps => {
  const egress = { allowHosts: allowHosts() };
  return {
    readSecrets: async (account, names) =>
      ticketedSecrets(await issueTicket(table, account, now()))(account, names),
    egress,
    google: createGoogle(egress),
  };
});
