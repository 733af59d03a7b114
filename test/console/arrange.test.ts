import { expect, test } from "@jest/globals";
import { type Arrangement, arrange, numberIn } from "../../console/grid/arrange.ts";

const rows = [
  { name: "Emma", price: "£12.50", stock: "3 left" },
  { name: "Évelina", price: "£1,299.00", stock: "10 left" },
  { name: "Dracula", price: "", stock: "" },
  { name: "emma", price: "£6.25" },
  { name: "Cranford", price: "£6.5", stock: "sold out" },
];
const names = (arrangement: Partial<Arrangement>) =>
  arrange(rows, { search: "", ...arrangement }).map((index) => rows[index]?.name);
const by = (column: string, isDescending = false) => ({ order: { column, isDescending } });

test("numbers are sorted by their size, with empty values last in both directions", () => {
  expect(names(by("price"))).toEqual(["emma", "Cranford", "Emma", "Évelina", "Dracula"]);
  expect(names(by("price", true))).toEqual(["Évelina", "Emma", "Cranford", "emma", "Dracula"]);
});

test("a column with other texts is sorted as text, and equal values keep their order", () => {
  expect(names(by("name"))).toEqual(["Cranford", "Dracula", "emma", "Emma", "Évelina"]);
  expect(names(by("stock"))).toEqual(["Emma", "Évelina", "Cranford", "Dracula", "emma"]);
  const equal = Array.from({ length: 3 }, () => ({ name: "same" }));
  for (const isDescending of [false, true])
    expect(arrange(equal, { search: "", ...by("name", isDescending) })).toEqual([0, 1, 2]);
});

test("a search finds rows in all columns, or in one", () => {
  expect(names({ search: "EMMA" })).toEqual(["Emma", "emma"]);
  expect(names({ search: "6" })).toEqual(["emma", "Cranford"]);
  expect(names({ search: "6", inColumn: "name" })).toEqual([]);
  expect(names({ search: "left", ...by("price", true) })).toEqual(["Évelina", "Emma"]);
});

test.each([
  ["£1,299.00", 1299],
  ["1.299,50 €", 1299.5],
  ["1 299,5", 1299.5],
  ["1’299", 1299],
  ["1,299", 1299],
  ["1,29", 1.29],
  ["0.5", 0.5],
  ["1.234.567", 1234567],
  ["-3 °C", -3],
  ["12 reviews", 12],
  ["4.8 of 5", undefined],
  ["2026-11-26", undefined],
  ["sold out", undefined],
])("the number in %s is %s", (text, number) => {
  expect(numberIn(text)).toBe(number);
});
