import { expect, test } from "@jest/globals";
import { describeCapture } from "../../../functions/inspections/describe-capture.ts";
import type { Snapshot } from "../../../functions/proposals/snapshot.ts";
import { openExamples } from "./collect-examples.ts";

const examples = await openExamples();

const cards = (word: string, size = 40) =>
  [1, 2, 3, 4, 5, 6]
    .map((n) => `<article class=card style="height:${size}px"><h3>${word} ${n}</h3><b>€${n}.00</b></article>`)
    .join("");

/** Describes a page whose first frame shows the document `inside`. */
async function described(html: string, inside: string, like?: (snapshot: Snapshot) => number[]) {
  const framed = await examples.collect(inside);
  const page = await examples.collect(html);
  const owner = page.elements.findIndex(({ tag }) => tag === "iframe");
  const [left = 0, top = 0] = page.elements[owner]?.box ?? [];
  const elements = framed.elements.map(({ box: [x, y, ...size], ...element }) => ({
    ...element,
    box: [x + left, y + top, ...size] as Snapshot["elements"][number]["box"],
  }));
  const snapshot: Snapshot = { ...page, frames: [{ ...framed, elements, owner }] };
  const capture = { url: page.url, snapshot: JSON.stringify(snapshot) };
  return describeCapture(
    capture,
    { want: ["lists", "pagination", "forms", "map"], like: like?.(snapshot) },
    { hasRows: false, isOk: true },
  );
}
const framesOf = ({ lists }: Awaited<ReturnType<typeof described>>) => lists?.map(({ frame }) => frame?.[0]);
const big = '<iframe id=shop style="border:0;width:100%;height:600px"></iframe>';
const small = '<iframe id=ads style="border:0;width:300px;height:250px"></iframe>';

test("a list in a frame comes first if the frame has most of the page, and last otherwise", async () => {
  const list = `<main>${cards("Own")}</main>`;
  expect(framesOf(await described(`<nav>${cards("Menu")}</nav>${big}`, cards("Framed")))).toEqual([
    "#shop",
    undefined,
  ]);
  expect(framesOf(await described(`${list}${small}`, cards("Framed")))).toEqual([undefined, "#ads"]);
  expect(framesOf(await described(`${list}<aside>${big}</aside>`, cards("Framed")))).toEqual([
    undefined,
    "#shop",
  ]);
});

test("elements in frames have refs of their own, positions on the page, and the frame of their steps", async () => {
  const inside = `<label>Search <input name=q></label>${cards("Framed", 200)}<a href="?page=2" rel=next>Next</a>`;
  const { lists, forms, map, pagination } = await described(`<h1>Shop</h1>${big}`, inside);
  const shown = new Map(map?.elements.map((element) => [element.at(-1), element]));
  const [list] = lists ?? [];
  expect(map?.frames).toEqual([{ from: expect.any(Number), frame: ["#shop"] }]);
  expect(forms?.[0]?.inputs[0]).toMatchObject({ field_name: "Search", frame: ["#shop"] });
  expect(shown.get(forms?.[0]?.inputs[0]?.ref ?? -1)?.[1]).toBe("input");
  // Rows that the frame shows when it is scrolled lie over nothing.
  const rows = list?.row_refs?.map((ref) => shown.get(ref)?.[1]);
  expect(rows?.slice(0, 2)).toEqual(["article", "article"]);
  expect(rows?.at(-1)).toBeUndefined();
  // An address of its next page would replace the page around it.
  expect(pagination?.map(({ pagination: { type } }) => type)).toEqual(["next_button"]);
});

test("elements of one frame can be asked for together, and others can't", async () => {
  const refs = (texts: string[]) => (snapshot: Snapshot) => {
    const all = [snapshot, ...(snapshot.frames ?? [])].flatMap(({ elements }) => elements);
    return texts.map((text) => all.findIndex(({ texts: [own] = [] }) => own?.[1] === text));
  };
  const find = (...texts: string[]) => described(`${cards("Own")}${big}`, cards("Framed"), refs(texts));
  expect(framesOf(await find("Framed 1", "Framed 2"))).toEqual(["#shop"]);
  expect(framesOf(await find("Own 1", "Own 2"))).toEqual([undefined]);
  expect((await find("Own 1", "Framed 2")).warnings.map(({ code }) => code)).toEqual(["no_list"]);
});
