import { commandOn } from "../client/target.ts";
import { restoreBackup, writeBackup } from "../data/backup.ts";
import { DataFolder } from "../data/data-folder.ts";
import { secretsKeyPlace } from "../secrets/secrets-key.ts";
import { note, print, printJson } from "../terminal/print.ts";

interface Options {
  data: string;
  json?: boolean;
}

const MB = 1_000_000;

/** Writes a backup, and says what it holds. */
export async function backup(file: string, { data, json }: Options): Promise<void> {
  const facts = await writeBackup(new DataFolder(data), file);
  if (json) return printJson({ file, ...facts });
  print(
    `Wrote ${file}: ${(facts.bytes / MB).toFixed(1)} MB. Only you can read it, because it holds API keys.`,
  );
  if (facts.secrets === 0) return;
  note(
    `Its secrets are encrypted. The key is not in the backup: keep a copy of ${secretsKeyPlace()} in another place.`,
  );
}

/** Restores a backup, and says what to do next. */
export async function restore(file: string, { data, json }: Options): Promise<void> {
  await restoreBackup(file, new DataFolder(data));
  if (json) return printJson({ file, data });
  print(`Restored ${file} to ${data}. Start the service with \`npx ${commandOn({ data }, "start")}\`.`);
  note("Stop the service from which the backup came first: otherwise, both resume the runs in progress.");
}
