import { books, events, genres, orders, people } from "./data.ts";

const tables: Record<string, readonly object[]> = {
  books,
  events,
  orders,
  people,
  genres: genres.map((name) => ({ name })),
};

/**
 * Responds to `/data/TABLE` with the records of a table as JSON. The parameter `q` searches all fields. `offset` and
 * `limit` select a part of the result. Every other parameter filters by the value of the field with its name.
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
