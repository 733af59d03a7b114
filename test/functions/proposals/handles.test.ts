import { expect, test } from "@jest/globals";
import { handlesOf } from "../../../functions/proposals/handles.ts";
import { SHOWN, type Snapshot } from "../../../functions/proposals/snapshot.ts";
import { treeOf } from "../../../functions/proposals/tree.ts";

/** A page of a few elements: the number of the parent, the tag, and the text. */
function pageOf(...elements: [parent: number, tag: string, text?: string][]): Snapshot {
  return {
    ...{ base: "https://example.org/", url: "https://example.org/", title: "" },
    ...{ width: 1280, height: 800, viewHeight: 800, omitted: 0 },
    elements: elements.map(([parent, tag, text]) => ({
      parent,
      tag,
      ...(text !== undefined && { texts: [[0, text]] }),
      box: [0, 0, 100, 20],
      flags: SHOWN,
    })),
  };
}

const handles = (snapshot: Snapshot, rows: number[] = []) =>
  new Map(
    handlesOf({ tree: treeOf(snapshot), first: 0 }, [{ rows }]).map(([ref, ...handle]) => [ref, handle]),
  );

test("a control is found by a name that no other control has", () => {
  const found = handles(
    pageOf([-1, "body"], [0, "a", "Next"], [0, "p"], [2, "a", "More"], [0, "p"], [4, "a", "More"]),
  );
  expect(found.get(1)?.[0]).toBe("Next");
  expect([found.get(3)?.[0], found.get(5)?.[0]]).toEqual(["", ""]);
  expect(found.get(3)?.[1]).toMatch(/nth-of-type/);
});

test("a value is found by the label beside it, and by its position only where nothing names it", () => {
  const fact = (row: number, label: string): [number, string, string?][] => [
    [0, "tr"],
    [row, "th", label],
    [row, "td", "1946"],
  ];
  const found = handles(
    pageOf(
      [-1, "table"],
      ...fact(1, "Published"),
      ...fact(4, "Printed"),
      ...fact(7, "Twice"),
      ...fact(10, "Twice"),
    ),
  );
  expect(found.get(3)).toEqual(["", 'th:text-is("Published") + td']);
  expect(found.get(6)).toEqual(["", 'th:text-is("Printed") + td']);
  expect(found.get(9)?.[1]).toMatch(/nth-of-type/);
});

test("what stands in the rows of a list has no selector of its own", () => {
  const snapshot = pageOf(
    [-1, "ul"],
    [0, "li"],
    [1, "a", "Alder"],
    [0, "li"],
    [3, "b", "Birch"],
    [0, "p", "End"],
  );
  const found = handles(snapshot, [1, 3]);
  expect(found.get(2)).toEqual(["Alder", ""]);
  expect(found.has(4)).toBe(false);
  expect(found.get(5)).toEqual(["", "p"]);
});
