import { AbstractKeyIterator, AbstractValueIterator } from "abstract-level";

/**
 * dynalite ends a read by calling `return` on its LevelDB iterator, which iterators no longer have. Without this fix, each
 * Query would keep its iterator, a snapshot of the table and its read-ahead buffer until the process ends.
 */
export function closeIteratorsOnReturn(): void {
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
    Object.defineProperty(prototype, "return", {
      configurable: true,
      value(this: { close(): Promise<void> }) {
        return this.close();
      },
    });
  }
}
