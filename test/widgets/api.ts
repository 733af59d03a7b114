import { books, events, genres, orders, people } from "./data.ts";

const tables: Record<string, readonly object[]> = {
  books,
  events,
  orders,
  people,
  genres: genres.map((name) => ({ name })),
};

/**
 * `/data/TABLE`: its records as JSON. `q` finds records by any of their texts, `offset` and `limit` cut the answer, and
 * every other parameter is a field's value.
 */
export function answerApi(url: URL): { status: number; body: unknown } {
  const table = tables[url.pathname.split("/")[2] ?? ""];
  if (!table) return { status: 404, body: { message: "no such table" } };
  const { q = "", offset = "0", limit = "1000", ...wanted } = Object.fromEntries(url.searchParams);
  const found = table.filter(
    (record) =>
      Object.values(record).some((value) => String(value).toLowerCase().includes(q.toLowerCase())) &&
      Object.entries(record).every(([name, value]) => !wanted[name] || wanted[name] === String(value)),
  );
  const rows = found.slice(Number(offset), Number(offset) + Number(limit));
  return { status: 200, body: { total: found.length, rows } };
}
