import type { StepOf } from "../../../functions/contract/steps/steps.ts";
import { type Pages, visit } from "../page.ts";

/** Lists with rows that are none, which a required field leaves out. */

const named = (names: readonly string[]) =>
  `<ul>${names.map((name) => `<li><b>${name}</b><i>${name.length} W</i></li>`).join("<li class=ad><i>Buy now</i></li>")}<li><b> </b></li></ul>`;
const pages: string[][] = [["Lamp 1", "Lamp 2"], [], ["Lamp 3", "Lamp 4", "Lamp 5"]];
const list = (selector = "b"): StepOf<"get_list"> => ({
  type: "get_list",
  selector: "li",
  fields: [
    { name: "name", selector, required: true },
    { name: "power", selector: "i" },
  ],
});
const rows = pages.flat().map((name) => ({ name, power: "6 W" }));

export default {
  "advertisements and blank rows are left out, also on a page that has nothing else": {
    routes: Object.fromEntries(
      pages.map((names, at) => [
        at === 0 ? "/" : `/${at}`,
        named(names) + (at < 2 ? `<a href="/${at + 1}">Next</a>` : ""),
      ]),
    ),
    steps: [visit(), list()],
    pagination: { type: "next_button", field_name: "Next" },
    engines: ["browser", "auto"],
    rows,
    variants: {
      "up to a limit, which counts the others": { rows_limit: 3, rows: rows.slice(0, 3) },
    },
  },
  "a list whose rows all lack a required field fails": {
    html: named(["Lamp 1", "Lamp 2"]),
    steps: [visit(), list(".title")],
    failure: {
      code: "fields_not_found",
      step: 1,
      message: /4 elements.*required fields: "name" by the selector \.title/,
    },
  },
} satisfies Pages;
