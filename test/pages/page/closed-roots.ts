import { type Pages, visit } from "../page.ts";

/* Shadow roots that are closed to scripts. Those that a script attaches are read: see values/text.ts. */

const cause = /closed shadow roots, such as that of <x-lamp>/;
const lamp = (n: number) =>
  `<x-lamp id=l${n}><template shadowrootmode="closed"><b>Lamp ${n}</b><slot></slot></template><i>Price ${n}</i></x-lamp>`;
const html = `<main>${lamp(1)}${lamp(2)}</main>`;
const price = { name: "price", selector: "i" };
const list = { type: "get_list", selector: "x-lamp", timeout_ms: 100 } as const;

export default {
  "what a shadow host has in no slot is read as it is written": {
    html: '<x-lamp><template shadowrootmode="open"><b>Lamp</b></template><i>Price 1</i></x-lamp>',
    steps: [visit(), { ...list, fields: [{ name: "name", selector: "b" }, price] }],
    rows: [{ name: "Lamp", price: "Price 1" }],
  },
  "a closed shadow root in the HTML is the cause why nothing is found": {
    html,
    variants: {
      "of the fields of a list": {
        steps: [visit(), { ...list, fields: [{ name: "name", selector: "b" }] }],
        failure: { code: "fields_not_found", message: cause },
      },
      "of one of the fields": {
        steps: [visit(), { ...list, fields: [{ name: "name", selector: "b" }, price] }],
        rows: [{ price: "Price 1" }, { price: "Price 2" }],
        warnings: [{ code: "field_empty", message: cause }],
      },
      "of a value": {
        steps: [visit(), { type: "get_text", selector: "#l1 b", field_name: "name", timeout_ms: 100 }],
        failure: { code: "element_not_found", message: cause },
      },
    },
  },
} satisfies Pages;
