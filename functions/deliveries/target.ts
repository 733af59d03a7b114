import type { Delivery } from "../contract/scrapers/delivery.ts";
import { authorityOf } from "../egress/policy/authority.ts";

/** The destination as a text, for people. It identifies the destination. */
export function targetOf(settings: Delivery): string {
  switch (settings.type) {
    case "folder":
      return fileOf(settings, settings.path);
    case "s3":
      return fileOf(settings, `${settings.endpoint ?? "s3:/"}/${settings.bucket}/${settings.prefix}`);
    case "postgres":
      return `postgresql://${authorityOf(settings.host, settings.port)}/${settings.database}/${settings.schema}.${settings.table}`;
    case "google_sheets":
      return `https://docs.google.com/spreadsheets/d/${settings.spreadsheet} ${settings.sheet}`;
  }
}

const fileOf = ({ mode, format }: { mode: string; format: string }, path: string) =>
  mode === "replace" ? `${path}.${format}` : `${path}/*.${format}`;
