import db, { type Item, type Store, type StoredTable, type Write } from "dynalite/db/index.js";

/**
 * Makes the emulator write an item together with its index entries. By itself it writes them one after the other: if
 * the process is killed in between, no index lists the run any more and it is never resumed.
 */
export function makeWritesAtomic(): void {
  db.updateIndexes = (store, table, before, after, done) => {
    const item = after ?? before;
    const writes = (["Local", "Global"] as const).flatMap((kind) => entries(table, kind, before, after));
    if (!item || writes.length === 0) {
      done();
      return;
    }
    const key = `item-${table.TableName}~${db.createKey(item, table)}`;
    writes.push(after ? { type: "put", key, value: after } : { type: "del", key });
    writeTogether(store, table, writes, done);
  };
}

/** The changes to a table's indexes of one kind. */
function entries(table: StoredTable, kind: "Local" | "Global", before?: Item, after?: Item): Write[] {
  const { puts, deletes } = db.getIndexActions(table[`${kind}SecondaryIndexes`] ?? [], before, after, table);
  const indexKey = (index: string, key: string) =>
    `index-${kind.toLowerCase()}~${table.TableName}~${index}~${key}`;
  return [
    ...deletes.map(({ index, key }): Write => ({ type: "del", key: indexKey(index, key) })),
    ...puts.map(({ index, key, item }): Write => ({ type: "put", key: indexKey(index, key), value: item })),
  ];
}

/** The store's batch calls `map` to prefix each key with a table's name. These keys already have their prefixes. */
function writeTogether(
  store: Store,
  table: StoredTable,
  writes: Write[],
  done: (error?: unknown) => void,
): void {
  store.getItemDb(table.TableName).batch({ map: () => writes }, done);
}
