import db, { type Item, type Store, type StoredTable, type Write } from "dynalite/db/index.js";

/**
 * Makes the emulator write an item together with its entries in the indexes. By itself it does that one after the
 * other: when the process was killed in between, no index led to the run any more, and nobody went on with it.
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

/** What changes in a table's indexes of one kind. */
function entries(table: StoredTable, kind: "Local" | "Global", before?: Item, after?: Item): Write[] {
  const { puts, deletes } = db.getIndexActions(table[`${kind}SecondaryIndexes`] ?? [], before, after, table);
  const place = (index: string, key: string) =>
    `index-${kind.toLowerCase()}~${table.TableName}~${index}~${key}`;
  return [
    ...deletes.map(({ index, key }): Write => ({ type: "del", key: place(index, key) })),
    ...puts.map(({ index, key, item }): Write => ({ type: "put", key: place(index, key), value: item })),
  ];
}

/** The store's batch puts one table's name before each key by `map`; ours have their names already. */
function writeTogether(
  store: Store,
  table: StoredTable,
  writes: Write[],
  done: (error?: unknown) => void,
): void {
  store.getItemDb(table.TableName).batch({ map: () => writes }, done);
}
