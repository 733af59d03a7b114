declare module "dynalite" {
  import type { Server } from "node:http";

  /** A DynamoDB server; closing it closes its store. */
  export default function dynalite(options: { path?: string; createTableMs?: number }): Server;
}
