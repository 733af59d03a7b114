import { expect, test } from "@jest/globals";
import { RowSplitter } from "../../../functions/rows/split-rows.ts";
import { fc } from "../../fast-check.ts";

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom('"', "\\", '\\"', "},{", "{}", '{"a":"b"}', ",", "é", "\u2028", "\\\\"),
);
const rows = fc.array(fc.dictionary(text, text), { minLength: 1, maxLength: 20 });

test("rows come out as they went in, wherever the text is cut", () => {
  fc.assert(
    fc.property(rows, fc.array(fc.nat(), { maxLength: 8 }), (given, places) => {
      const whole = Buffer.from(given.map((row) => JSON.stringify(row)).join(","));
      const cuts = [0, ...places.map((place) => place % (whole.length + 1)), whole.length].sort(
        (a, b) => a - b,
      );
      const splitter = new RowSplitter();
      const found = cuts.slice(1).flatMap((cut, index) => splitter.split(whole.subarray(cuts[index], cut)));
      expect(found.map(String)).toEqual(given.map((row) => JSON.stringify(row)));
      expect(splitter.isWhole).toBe(true);
    }),
  );
});
