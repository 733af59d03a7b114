import { once } from "node:events";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeEach, expect, test } from "@jest/globals";
import { Api } from "../../local/client/api.ts";
import { saveRows } from "../../local/commands/run/rows.ts";
import { newFolder } from "../new-folder.ts";

let dir: string;
beforeEach(async () => {
  dir = await newFolder();
});

/** Saves rows of a service that answers like this. Returns the path that it was asked for. */
async function save(
  answer: (response: ServerResponse) => void,
  file = "rows.csv",
  selection: { text?: boolean } = {},
): Promise<string> {
  let path = "";
  const server = createServer(({ url = "" }, response) => {
    path = url;
    response.writeHead(200, { "gleaner-run-status": "successful", "gleaner-row-count": "2" });
    answer(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await saveRows(new Api({ url, key: "glr_key", from: "--url" }), "1", {
      output: join(dir, file),
      quiet: true,
      ...selection,
    });
    return path;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("a file is replaced as a whole, or stays as it was when the connection breaks", async () => {
  const output = join(dir, "rows.csv");
  await writeFile(output, "before");
  const broken = save((response) => response.write("name\r\nfirst\r\n", () => response.destroy()));
  await expect(broken).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringContaining("before all rows had come"),
  });
  expect(await readFile(output, "utf8")).toBe("before");
  await save((response) => void response.end("name\r\nfirst\r\nsecond\r\n"));
  expect(await readFile(output, "utf8")).toBe("name\r\nfirst\r\nsecond\r\n");
  expect(await readdir(dir)).toEqual(["rows.csv"]);
});

test("a CSV file has no formulas", async () => {
  const answer = (response: ServerResponse) => void response.end("name");
  expect(await save(answer)).toBe("/v1/runs/1/rows?format=csv&escape=formulas");
  expect(await save(answer, "rows.jsonl")).toBe("/v1/runs/1/rows?format=jsonl");
});

test("all values of an xlsx file are texts if that is wanted", async () => {
  const answer = (response: ServerResponse) => void response.end("PK");
  expect(await save(answer, "rows.xlsx")).toBe("/v1/runs/1/rows?format=xlsx");
  expect(await save(answer, "rows.xlsx", { text: true })).toBe("/v1/runs/1/rows?format=xlsx&text=1");
});
