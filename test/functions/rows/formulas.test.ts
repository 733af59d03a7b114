import { expect, test } from "@jest/globals";
import { withoutFormulas } from "../../../functions/rows/formulas.ts";

test.each([
  ["=1+1", "'=1+1"],
  ["@cmd", "'@cmd"],
  ["-2+3", "'-2+3"],
  ["\uff1d1", "'\uff1d1"],
  ["\t=1", "'\t'=1"],
  ["x;=cmd|' /C calc'!A0;y", "x;'=cmd|' /C calc'!A0;y"],
  ["x\t+1\t@y", "x\t'+1\t'@y"],
  ["x;-1;\t=1", "x;'-1;'\t'=1"],
  ['x;"=1"', `x;"'=1"`],
  ["x\n=1", "x\n'=1"],
  ["x\r\n=1", "x\r\n'=1"],
])("%j has no formula as %j", (value, safe) => expect(withoutFormulas(value)).toBe(safe));

test.each(["", "-5", "+1.5 %", "-1,000.50", "a=b", "one; two", "x;y", "two\nlines", "me@shop.example"])(
  "%j stays as it is",
  (value) => expect(withoutFormulas(value)).toBe(value),
);
