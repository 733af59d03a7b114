import { expect, test } from "@jest/globals";
import type { Api, Kind } from "../../../local/client/api.ts";
import { findId, scraperNames } from "../../../local/client/find-id.ts";

const IDS = [
  "01a20194-91ba-760d-8f7b-5d0000000004",
  "01a20194-91ba-760d-8f7b-5d0000000003",
  "01a20194-0000-760d-8f7b-5d0000000002",
  "01a1fc3c-acb4-7463-96cb-370000000001",
] as const;
const NAMES = ["Books", "Prices", "books", "Cafe"];

/** The API of an account, and how many items of its lists were read. */
function apiWith(count: number = IDS.length) {
  const read = { count: 0 };
  const api = {
    async *list(path: string) {
      for (const [index, id] of IDS.slice(0, count).entries()) {
        read.count += 1;
        yield { id, created_at: "2030-01-01", ...(path === "/v1/scrapers" && { name: NAMES[index] }) };
      }
    },
  } as unknown as Api;
  return { api, read };
}
const find = (kind: Kind, text: string, count?: number) => findId(apiWith(count).api, kind, text);

test("a scraper is found by its name, by the start of its id, and as the latest", async () => {
  expect(await find("scrapers", "PRICES")).toBe(IDS[1]);
  expect(await find("scrapers", "01a20194-0")).toBe(IDS[2]);
  expect(await find("scrapers", "01A1")).toBe(IDS[3]);
  // A name that could be the start of an id.
  expect(await find("scrapers", "cafe")).toBe(IDS[3]);
  expect(await find("scrapers", "latest")).toBe(IDS[0]);
});

test("runs and batches are found by the start of their ids, and as the latest", async () => {
  for (const kind of ["runs", "batches"] as const) {
    expect(await find(kind, "01a20194-0")).toBe(IDS[2]);
    expect(await find(kind, "latest")).toBe(IDS[0]);
  }
});

test("a whole id, or a text that names no run, needs no request", async () => {
  const { api, read } = apiWith();
  const other = IDS[0].replace("01a2", "01b2");
  expect(await findId(api, "runs", other.toUpperCase())).toBe(other);
  await expect(findId(api, "runs", "Books")).rejects.toMatchObject({
    exitCode: 4,
    message:
      'There is no run "Books". Use its id, the first characters of the id, or latest. `npx gleaner run list` lists the runs.',
  });
  expect(read.count).toBe(0);
});

test("no older runs are read once none of them can match", async () => {
  const { api, read } = apiWith();
  await expect(findId(api, "runs", "01a20194-5")).rejects.toThrow('There is no run "01a20194-5".');
  expect(read.count).toBe(3);
});

test("what names several lists them", async () => {
  await expect(find("scrapers", "Books")).rejects.toMatchObject({
    exitCode: 4,
    message: `"Books" names more than one. Use more characters of one of these ids:\n  ${IDS[0]}  "Books"\n  ${IDS[2]}  "books"`,
  });
  await expect(find("runs", "01a20194-9")).rejects.toThrow(`${IDS[1]}  2030-01-01`);
});

test("what is not there is said", async () => {
  await expect(find("scrapers", "None")).rejects.toThrow(
    'There is no scraper "None". Use its name, its id, the first characters of the id, or latest.',
  );
  await expect(find("batches", "latest", 0)).rejects.toThrow("There are no batches yet.");
});

test("the list of scrapers is read until all names are known", async () => {
  const { api, read } = apiWith();
  expect(await scraperNames(api, [IDS[1], IDS[1]])).toEqual(new Map([[IDS[1], "Prices"]]));
  expect(read.count).toBe(2);
  expect(await scraperNames(api, ["deleted", IDS[0]])).toEqual(new Map([[IDS[0], "Books"]]));
  expect(await scraperNames(api, [])).toEqual(new Map());
  expect(read.count).toBe(6);
});
