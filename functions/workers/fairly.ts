/** Reorders items so that accounts take turns. The items of one account keep their order. */
export function fairly<T extends { account: string }>(items: readonly T[]): T[] {
  const turns = new Map<string, number>();
  return items
    .map((item) => {
      const turn = turns.get(item.account) ?? 0;
      turns.set(item.account, turn + 1);
      return { turn, item };
    })
    .sort((one, other) => one.turn - other.turn)
    .map(({ item }) => item);
}
