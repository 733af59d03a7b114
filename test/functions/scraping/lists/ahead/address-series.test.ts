import { expect, test } from "@jest/globals";
import { seriesOf } from "../../../../../functions/scraping/lists/ahead/prefetcher.ts";

const at = (path: string) => `https://shop.example/${path}`;

test.each([
  ["a parameter", ["?page=1", "?page=2", "?page=3"], "?page=4"],
  ["a part of the path", ["lamps/9/", "lamps/10/", "lamps/11/"], "lamps/12/"],
  [
    "an offset",
    ["?q=2&from=0&size=20", "?q=2&from=20&size=20", "?q=2&from=40&size=20"],
    "?q=2&from=60&size=20",
  ],
  ["a parameter that the first does not have", ["", "?page=2", "?page=3"], "?page=4"],
  ["an offset that the first does not have", ["lamps", "lamps?from=20", "lamps?from=40"], "lamps?from=60"],
])("the next address where %s grows", (_, [first, second, third], fourth) => {
  const series = seriesOf(at(first as string), at(second as string), at(third as string));
  expect(series?.(2)).toBe(at(third as string));
  expect(series?.(3)).toBe(at(fourth));
});

test.each([
  ["nothing changes", ["?page=1", "?page=1", "?page=1"]],
  ["it grows by different amounts", ["?page=3", "?page=4", "?page=6"]],
  ["it shrinks", ["?page=3", "?page=2", "?page=1"]],
  ["two numbers grow", ["?page=1&from=0", "?page=2&from=20", "?page=3&from=40"]],
  ["something else changes", ["?page=1&s=a", "?page=2&s=b", "?page=3&s=c"]],
  ["the first has no number, and the others are not the next", ["", "?after=120", "?after=150"]],
  ["zeros lead", ["?page=01", "?page=02", "?page=03"]],
  ["a fragment does not", ["?page=1#a", "?page=2#a", "?page=3#a"]],
  ["the number is too large", ["?p=9007199254740991", "?p=9007199254740992", "?p=9007199254740993"]],
  ["a fragment changes", ["#1", "#2", "#3"]],
  ["a number turns into a word", ["?page=1", "?page=2", "?page=last"]],
])("none where %s", (_, [first, second, third]) => {
  expect(seriesOf(at(first as string), at(second as string), at(third as string))).toBeUndefined();
});

test("none where the site changes", () => {
  expect(seriesOf("https://s1.example/", "https://s2.example/", "https://s3.example/")).toBeUndefined();
});
