import { expect, test } from "@jest/globals";
import { RowsQuery } from "../../../../functions/contract/runs/rows-query.ts";
import { ValidationError, validate } from "../../../../functions/contract/validate.ts";

const fieldsOf = (fields: string) => validate(RowsQuery, { fields }).fields;

test.each([
  ["title,price,title", ["title", "price"]],
  ['"size, in cm",price', ["size, in cm", "price"]],
  ['price,"5"" disks"', ["price", '5" disks']],
  ['5" disks', ['5" disks']],
  ['"a",""', ["a", ""]],
  ["a,", ["a", ""]],
])("the fields %s", (list, names) => {
  expect(fieldsOf(list)).toEqual(names);
});

test.each(['"a', '"a"b', 'a,"b', '"a"b,c'])("the fields %s are refused", (list) => {
  expect(() => fieldsOf(list)).toThrow(ValidationError);
});
