import type { Log } from "../functions/log.ts";
import type { LocalDynamoDb } from "./dynamodb/client.ts";

/** What a power cut can cost: the writes of this time. A killed process loses none. */
const SYNC_MS = 1_000;
const EXPIRY_MS = 60_000;
/** Items removed at a time, while requests wait. */
const EXPIRED_AT_ONCE = 500;

/** Does regularly what DynamoDB does by itself: writes the table to the disk, and removes expired items. */
export function startUpkeep(dynamoDb: LocalDynamoDb, log: Log): () => Promise<void> {
  let syncing = Promise.resolve();
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
  }, EXPIRY_MS);
  return async () => {
    clearInterval(sync);
    clearInterval(expiry);
    await syncing;
  };
}
