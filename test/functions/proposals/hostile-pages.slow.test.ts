import { expect, test } from "@jest/globals";
import { handlesOf } from "../../../functions/proposals/handles.ts";
import { propose } from "../../../functions/proposals/propose.ts";
import { SHOWN, type Snapshot, type SnapshotElement } from "../../../functions/proposals/snapshot.ts";
import { treeOf } from "../../../functions/proposals/tree.ts";

/*
 * Pages of 20,000 elements that make proposals as expensive as possible. A step that takes the square of the number of
 * elements takes minutes, which exceeds the time of a test.
 */

const ELEMENTS = 20_000;
type Shown = Pick<SnapshotElement, "parent" | "tag"> & Partial<SnapshotElement> & { text?: string };

function pageOf(make: (index: number) => Shown): Snapshot {
  const elements = Array.from({ length: ELEMENTS }, (_, index) => {
    const { text, ...element } = index === 0 ? { parent: -1, tag: "html", text: undefined } : make(index);
    const texts: [number, string][] = [[0, text ?? ""]];
    return { box: [0, 0, 100, 20], flags: SHOWN, ...(text && { texts }), ...element } as SnapshotElement;
  });
  return {
    ...{ base: "https://shop.example/", url: "https://shop.example/list?page=1", title: "" },
    ...{ width: 1280, height: 800, viewHeight: 800, omitted: 0, elements },
  };
}

/** Chains of elements, each inside the one before, which are `length` deep. */
const chains = (length: number) => (index: number) => (index % length === 0 ? 0 : index - 1);
const link = (href: string) =>
  pageOf((at) => ({ parent: 0, tag: "a", text: `Next ${at}`, attributes: { href } }));

const pages: Record<string, () => Snapshot> = {
  "siblings without names": () => pageOf((at) => ({ parent: 0, tag: "p", text: `${at}` })),
  "siblings that all look different": () =>
    pageOf((at) => ({
      parent: at % 4 === 1 ? 0 : at - ((at - 1) % 4),
      tag: at % 4 === 1 ? "div" : `x-${at}`,
    })),
  "one chain": () => pageOf((at) => ({ parent: at - 1, tag: "div", text: `${at}` })),
  "chains of 240 elements with equal classes": () =>
    pageOf((at) => ({
      parent: chains(240)(at),
      tag: "div",
      text: `Text ${at}`,
      attributes: { class: "row" },
    })),
  "rows in rows": () =>
    pageOf((at) => ({ parent: (at - 1) >> 1, tag: "div", text: `${at}`, attributes: { class: "row" } })),
  "elements with a hundred classes": () => {
    const attributes = { class: Array.from({ length: 100 }, (_, name) => `c${name}x`).join(" ") };
    return pageOf(() => ({ parent: 0, tag: "div", text: "Text", attributes }));
  },
  "links to page after page": () => link("/list?page=2"),
  "links with many slashes": () => link(`/${"/".repeat(1_900)}x`),
  "links to a long path": () => link(`/${"a".repeat(1_900)}//`),
  "links to a long host": () => link(`https://${"a".repeat(1_900)}/`),
  "buttons in one row": () =>
    pageOf((at) => ({
      parent: at > 1 && at < ELEMENTS / 2 ? 1 : 0,
      tag: at < ELEMENTS / 2 && at > 1 ? "button" : "li",
      text: "Next",
    })),
  "buttons in buttons": () =>
    pageOf((at) => ({ parent: chains(240)(at), tag: "button", attributes: { title: "Next" } })),
  "inputs with one label": () =>
    pageOf((at) => ({
      parent: at === 1 ? 0 : 1,
      tag: at === 1 ? "label" : "input",
      attributes: { placeholder: "Name" },
    })),
  "banners and their buttons": () =>
    pageOf((at) => ({
      parent: 0,
      tag: at % 2 ? "div" : "button",
      text: "Cookies",
      attributes: { class: "cookie" },
    })),
  "long numbers": () => pageOf((at) => ({ parent: 0, tag: "p", text: `${at}${"1".repeat(900)}` })),
};

test.each(Object.entries(pages))("proposals do not take the square of the size of a page: %s", (_, make) => {
  const snapshot = make();
  const { lists, forms } = propose(snapshot);
  expect(lists.length).toBeLessThanOrEqual(5);
  expect(forms.length).toBeLessThanOrEqual(40);
  expect(handlesOf({ tree: treeOf(snapshot), first: 0 }, lists).length).toBeLessThanOrEqual(ELEMENTS);
});
