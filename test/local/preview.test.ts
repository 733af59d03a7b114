import { afterEach, expect, jest, test } from "@jest/globals";
import type { Api } from "../../local/client/api.ts";
import { preview } from "../../local/commands/run/watch.ts";

afterEach(() => {
  jest.restoreAllMocks();
});

/** What the preview of these rows looks like. */
async function printed(rows: Record<string, string>[], rowCount: number, width: number): Promise<string> {
  let text = "";
  jest.spyOn(console, "log").mockImplementation((line) => {
    text += `${line}\n`;
  });
  await preview({ get: async () => rows } as unknown as Api, "1", rowCount, width);
  return text;
}

test("shows the first rows, and how many there are besides", async () => {
  const rows = [
    { name: "Middlemarch", price: "£3.50" },
    { name: "A title\nthat is much too long for a table", old_price: "£4" },
  ];
  const text = await printed(rows, 12, 80);
  expect(text).toMatch(/ name +│ price +│ old_price /);
  expect(text).toContain("│ A title that is much too lo… │       │ £4        │");
  expect(text).toContain("… and 10 rows more");
});

test("leaves out columns that don't fit, and what a terminal obeys", async () => {
  const row = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`field-${index}`, "\u001b[2Jx"]));
  const text = await printed([row], 1, 40);
  for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(45);
  expect(text).toContain("\\u001b[2Jx");
  expect(text).toMatch(/… and 1\d columns more/);
});
