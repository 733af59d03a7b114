import type { Log } from "../functions/log.ts";
import type { FilesFolder } from "./data/files-folder.ts";
import type { LocalDynamoDb } from "./dynamodb/client.ts";

/** The interval of syncs. A power failure can lose the writes since the last sync. A killed process loses none. */
const SYNC_MS = 1_000;
const EXPIRY_MS = 60_000;
/** How many items are removed in one transaction. Requests wait meanwhile. */
const EXPIRED_AT_ONCE = 500;

/** Regularly flushes the table to the disk, and removes expired items and files. Returns a function that stops this. */
export function startUpkeep(dynamoDb: LocalDynamoDb, files: FilesFolder, log: Log): () => Promise<void> {
  let syncing = Promise.resolve();
  let removing = Promise.resolve();
  const sync = setInterval(() => {
    syncing = syncing
      .then(() => dynamoDb.sync())
      .catch((error) => log.error("The table could not be written to the disk", { error }));
  }, SYNC_MS);
  const expiry = setInterval(() => {
    try {
      while (dynamoDb.removeExpired(new Date(), EXPIRED_AT_ONCE) === EXPIRED_AT_ONCE);
    } catch (error) {
      log.error("Expired items could not be removed", { error });
    }
    removing = removing
      .then(() => files.removeExpired(new Date()))
      .catch((error) => log.error("Expired files could not be removed", { error }));
  }, EXPIRY_MS);
  return async () => {
    clearInterval(sync);
    clearInterval(expiry);
    await Promise.all([syncing, removing]);
  };
}
