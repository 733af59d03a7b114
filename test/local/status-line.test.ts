import { expect, test } from "@jest/globals";
import { StatusLine } from "../../local/terminal/status-line.ts";

/** What a status line writes to a terminal of this width; without a width, to something else. */
function written(columns: number | undefined, shows: [text: string, clock: string][]): string {
  let text = "";
  const write = (chunk: string) => {
    text += chunk;
  };
  const line = new StatusLine({
    isTTY: columns !== undefined,
    columns,
    write,
  } as unknown as NodeJS.WriteStream);
  for (const show of shows) line.show(...show);
  line.clear();
  return text;
}

test("without a terminal, each change is a plain line", () => {
  const shows: [string, string][] = [
    ["page 1", "1 s"],
    ["page 1", "2 s"],
    ["page\n2\u001b[2J", "3 s"],
  ];
  expect(written(undefined, shows)).toBe("page 1\npage 2\\u001b[2J\n");
});

test("on a terminal, it is one line that fits", () => {
  const text = written(20, [
    ["a page with a long name", "1.0 s"],
    ["日本語の名前がとても長い", "2.0 s"],
  ]);
  const drawn = text.split("\r\u001b[K");
  expect(drawn).toEqual(["", "  a page wit… 1.0 s", "  日本語の… 2.0 s", ""]);
});
