import { expect, test } from "@jest/globals";
import { Finder } from "../../../functions/proposals/selectors/selector.ts";
import { SHOWN, type Snapshot } from "../../../functions/proposals/snapshot.ts";
import { treeOf } from "../../../functions/proposals/tree.ts";

const treeWith = (classes: string[]) =>
  treeOf({
    ...{ base: "https://shop.example/", url: "https://shop.example/", title: "" },
    ...{ width: 1280, height: 800, viewHeight: 800, omitted: 0 },
    elements: ["", ...classes].map((name, at) => ({
      ...{ parent: at === 0 ? -1 : 0, tag: at === 0 ? "html" : "li", box: [0, 0, 100, 20], flags: SHOWN },
      attributes: { class: name },
    })),
  } as Snapshot);

test("elements with the same class attribute share their classes, which are parsed once", () => {
  const { nodes } = treeWith(["row  row odd", "row even", "row  row odd"]);
  expect(nodes[1]?.classes).toEqual(["row", "odd"]);
  expect(nodes[3]?.classes).toBe(nodes[1]?.classes);
  expect(nodes[2]?.hasClass("odd")).toBe(false);
});

test("the elements with a class are found in document order, whatever else their attributes say", () => {
  const { nodes } = treeWith(["row odd", "row even", "row odd", "other", "row even"]);
  const finder = new Finder(nodes);
  const indexesOf = (value: string) => finder.having({ kind: "class", value })?.map(({ index }) => index);
  for (let time = 0; time < 2; time += 1) expect(indexesOf("row")).toEqual([1, 2, 3, 5]);
  expect(indexesOf("odd")).toEqual([1, 3]);
  expect(indexesOf("none")).toEqual([]);
});
