import { afterAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { DeliveryOf } from "../../../../functions/contract/scrapers/delivery.ts";
import { createGoogle } from "../../../../functions/deliveries/google-sheets/google.ts";
import { sendSheet } from "../../../../functions/deliveries/google-sheets/send-sheet.ts";
import type { Secret } from "../../../../functions/secrets/secret.ts";
import { startTable } from "../../store/local-table.ts";
import { deliverByKey } from "../rows-in-life.ts";
import { logOf, next, old, type RunRows, senderOf } from "../sending.ts";
import { type Fault, KEY_FILE, settingsFor, startGoogle } from "./google-server.ts";

type Sheets = DeliveryOf<"google_sheets">;
type Mode = Sheets["mode"];

const table = await startTable();
const server = await startGoogle();
afterAll(() => server.close());
beforeEach(() => {
  server.fill({ Sheet1: [] });
  server.onRequest(() => undefined);
  server.requests.length = 0;
});

interface Other {
  settings?: Partial<Sheets>;
  secret?: Partial<Secret>;
  allowHosts?: string[];
  now?: Date;
}

/** Sends rows. The answer is what the log of the delivery says. */
function send(mode: Mode, sent: RunRows, other: Other = {}) {
  const { allowHosts = [server.host], now = new Date() } = other;
  const deps = {
    readSecrets: async () => new Map([["sheets-key", { value: KEY_FILE, hosts: [], ...other.secret }]]),
    google: createGoogle({ allowHosts }, server.google, () => now),
  };
  return logOf((sending) => sendSheet(sending, deps), settingsFor(mode, other.settings), sent);
}

const prices = () => server.cells("Prices")?.map((row) => row.map((cell) => cell ?? "").join());

describe("append", () => {
  test("adds the rows of each run once, also of an older one", async () => {
    expect(await send("append", next)).toBe("2 rows in Prices");
    expect(await send("append", old)).toBe("2 rows in Prices");
    await send("append", old);
    expect(prices()).toEqual(["sku,price", "2,20", "3,30", "1,10", "2,"]);
    expect(server.titles()).toEqual(["Sheet1", "Prices", "(gleaner_deliveries)"]);
  });

  test("uses the columns of a sheet that is there, and adds those that it lacks", async () => {
    server.fill({
      Prices: [
        ["price", "own", "sku"],
        ["1", "mine", "0"],
      ],
    });
    await send("append", {
      rows: [{ sku: "1", price: "10", Title: "Lamp" }],
      columns: ["sku", "price", "Title"],
    });
    expect(prices()).toEqual(["price,own,sku,Title", "1,mine,0", "10,,1,Lamp"]);
  });

  test("adds columns to a narrow sheet", async () => {
    const columns = Array.from({ length: 30 }, (_, index) => `f${index}`);
    await send("append", { rows: [{ f29: "last" }], columns });
    expect(prices()?.[1]).toBe(`${",".repeat(29)}last`);
  });

  test("values stay the texts that they are", async () => {
    const rows = [
      { sku: '=HYPERLINK("https://evil.example")', price: "00123" },
      { sku: "+1", price: "'3" },
    ];
    await send("append", { rows });
    expect(server.cells("Prices")?.slice(1)).toEqual(rows.map(({ sku, price }) => [sku, price]));
  });
});

describe("replace", () => {
  test("leaves the rows of the newest run, also if there are none", async () => {
    await send("replace", old);
    expect(prices()).toEqual(["sku,price", "1,10", "2,"]);
    expect(await send("replace", next)).toBe("2 rows in Prices");
    expect(await send("replace", old)).toMatch(/^skipped: .*newer run/);
    expect(prices()).toEqual(["sku,price", "2,20", "3,30"]);
    expect(await send("replace", { rows: [], run: 3 })).toBe("0 rows in Prices");
    expect(prices()).toEqual(["sku,price"]);
    expect(server.titles()).toEqual(["Sheet1", "Prices", "(gleaner_deliveries)"]);
  });

  test("deletes no cells that others have written", async () => {
    server.fill({ Prices: [[], ["", "mine"]] });
    expect(await send("replace", old)).toContain("They would be deleted");
    expect(prices()).toEqual(["", ",mine"]);
  });
});

describe("upsert", () => {
  test("updates rows by the key, adds the others, and never writes older ones over newer ones", async () => {
    server.fill({
      Prices: [
        ["price", "own", "sku"],
        ["1", "mine", "2"],
        ["5", "", "9"],
      ],
    });
    expect(await send("upsert", next)).toBe("2 rows in Prices");
    expect(await send("upsert", old)).toMatch(/^skipped: .*newer run/);
    expect(prices()).toEqual(["price,own,sku", "20,mine,2", "5,,9", "30,,3"]);
  });

  test("repairs rows when it is repeated, and tells how many have no key", async () => {
    const rows = [...next.rows, { price: "2" }, { sku: "3", price: "31" }];
    await send("upsert", { rows });
    server.fill({
      Prices: [
        ["sku", "price"],
        ["2", "x"],
      ],
    });
    expect(await send("upsert", { rows })).toBe("3 rows in Prices; 1 row without a key left out");
    expect(prices()).toEqual(["sku,price", "2,20", "3,31"]);
  });
});

describe("what goes wrong in the middle: every row is there once", () => {
  const before = {
    rows: [
      { sku: "0", price: "0" },
      { sku: "1", price: "x" },
    ],
  };
  // Some requests for the rows of each mode.
  const rows = Array.from({ length: 24 }, (_, index) => ({ sku: `${index}`, price: `price ${index}` }));
  const all = rows.map(({ sku, price }) => `${sku},${price}`);
  const expected: Record<Mode, string[]> = {
    append: ["0,0", "1,x", ...all],
    replace: all,
    upsert: all,
  };
  const requestsOf = async (mode: Mode) => {
    await send(mode, before);
    server.requests.length = 0;
    await send(mode, { rows, run: 2 });
    return server.requests.length;
  };

  test.each<[Mode, Exclude<Fault, undefined>]>(
    (["append", "replace", "upsert"] as const).flatMap((mode) => [
      [mode, "lost before"],
      [mode, "lost after"],
    ]),
  )("%s, each request in turn: %j", async (mode, fault) => {
    const count = await requestsOf(mode);
    expect(count).toBeGreaterThan(6);
    for (let at = 1; at <= count; at += 1) {
      server.onRequest(() => undefined);
      server.fill({ Sheet1: [] });
      await send(mode, before);
      let left = at;
      server.onRequest(() => {
        left -= 1;
        return left === 0 ? fault : undefined;
      });
      expect([at, await send(mode, { rows, run: 2 })]).toEqual([at, expect.not.stringMatching(/^24 rows/)]);
      expect([at, await send(mode, { rows, run: 2 })]).toEqual([at, "24 rows in Prices"]);
      expect([at, prices()]).toEqual([at, ["sku,price", ...expected[mode]]]);
    }
  });

  test.each<Mode>(["append", "replace", "upsert"])(
    "%s: a request that Google makes after the next attempt changes nothing",
    async (mode) => {
      const isChange = (name: string) => name === "POST :batchUpdate";
      await requestsOf(mode);
      const changes = server.requests.filter(isChange).length;
      for (let at = 1; at <= changes; at += 1) {
        server.onRequest(() => undefined);
        server.fill({ Sheet1: [] });
        await send(mode, before);
        const isLate = Promise.withResolvers<void>();
        const isOver = Promise.withResolvers<Fault>();
        let left = at;
        server.onRequest((name) => {
          if (isChange(name)) left -= 1;
          if (left !== 0 || !isChange(name)) return undefined;
          isLate.resolve();
          return isOver.promise;
        });
        const first = send(mode, { rows, run: 2 });
        await isLate.promise;
        expect([at, await send(mode, { rows, run: 2 })]).toEqual([at, "24 rows in Prices"]);
        isOver.resolve(undefined);
        await first;
        expect([at, prices()]).toEqual([at, ["sku,price", ...expected[mode]]]);
      }
    },
  );

  test("two runs that append at the same time", async () => {
    const other = { rows: rows.map(({ sku }) => ({ sku: `o${sku}`, price: "x" })), run: 3 };
    const said = await Promise.all([send("append", { rows, run: 2 }), send("append", other)]);
    expect(said).toEqual(["24 rows in Prices", "24 rows in Prices"]);
    expect(new Set(server.cells("Prices")?.map(([sku]) => sku)).size).toBe(49);
    expect(prices()).toHaveLength(49);
  });
});

describe("what fails is told:", () => {
  const answers = (fault: Fault) =>
    server.onRequest((name) => (name === "POST :batchUpdate" ? fault : undefined));
  test.each<[string, string, Fault, Other]>([
    ["a secret of another form", "the whole JSON file", undefined, { secret: { value: "AKIA:1" } }],
    [
      "a secret of other hosts",
      "it may go to db.example only",
      undefined,
      { secret: { hosts: ["db.example"] } },
    ],
    ["a host that is not public", "can't be reached", undefined, { allowHosts: [] }],
    [
      "a key of another account",
      "Invalid JWT",
      undefined,
      { secret: { value: KEY_FILE.replace("gleaner@", "other@") } },
    ],
    ["a clock that is wrong", "check the clock", undefined, { now: new Date("2020-01-01") }],
    [
      "a spreadsheet that does not exist",
      "knows no spreadsheet",
      undefined,
      { settings: { spreadsheet: "x".repeat(44) } },
    ],
    [
      "a spreadsheet that is not shared",
      "Google refuses the service account: The caller does not have permission. Share the spreadsheet with gleaner@shop.iam.gserviceaccount.com as an editor",
      { status: 403, message: "The caller does not have permission" },
      {},
    ],
    ["a fault of Google", "It is tried again", { status: 503 }, {}],
    ["a limit of requests", "is tried again", { status: 429 }, {}],
    [
      "a full spreadsheet",
      "Choose another spreadsheet",
      { status: 400, message: "Increases the number of cells above the limit of 10000000 cells." },
      {},
    ],
  ])("%s", async (_, message, fault, other) => {
    answers(fault);
    const said = await send("append", old, other);
    expect(said).toContain(message);
    expect(said).not.toContain("PRIVATE KEY");
    expect(prices() ?? []).toEqual([]);
  });

  test("a value that is too long for a cell", async () => {
    expect(await send("append", { rows: [{ sku: "1", price: "x".repeat(50_001) }] })).toContain(
      "50,001 characters",
    );
    expect(prices()).toEqual(["sku,price"]);
  });
});

test("an access token is kept until it expires, or is refused", async () => {
  const google = createGoogle({ allowHosts: [server.host] }, server.google);
  const attempt = () =>
    sendSheet(senderOf(settingsFor("append"), { columns: ["sku"], key: undefined, row_count: 0 }), {
      readSecrets: async () => new Map([["sheets-key", { value: KEY_FILE, hosts: [] }]]),
      google,
    });
  const given = () => server.requests.filter((name) => name === "POST /token").length;
  await attempt();
  await attempt();
  expect(given()).toBe(1);
  server.revoke();
  await expect(attempt()).rejects.toThrow("401");
  await attempt();
  expect(given()).toBe(2);
});

test("the rows of runs are updated by the key of their list", async () => {
  const destinations = {
    readSecrets: async () => new Map([["sheets-key", { value: KEY_FILE, hosts: ["sheets.googleapis.com"] }]]),
    google: createGoogle({ allowHosts: [server.host] }, server.google),
  };
  const delivered = { state: "delivered", answers: ["2 rows in Prices"] };
  expect(await deliverByKey(table, settingsFor("upsert"), destinations)).toEqual([delivered, delivered]);
  expect(prices()).toEqual(["title", "a", "b", "c"]);
});
