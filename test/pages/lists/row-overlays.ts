import type { RowStep } from "../../../functions/contract/steps/action-steps.ts";
import type { Step } from "../../../functions/contract/steps/steps.ts";
import { lamps, type Page, type Pages, visit } from "../page.ts";

/* What the steps of a row open, and leave open, is closed before the steps of the next row, and before the next page. */

const show: RowStep = { type: "click", field_name: "Show" };
const list: Step = {
  type: "get_list",
  selector: ".row",
  fields: [{ name: "name", selector: "b" }],
  each: [show],
  details: { fields: [{ name: "size", selector: ".size" }] },
};
const sized = (to: number) => lamps(1, to).map((row, at) => ({ ...row, size: `Size ${at + 1}` }));
const rowsOf = (from: number, to: number) =>
  lamps(from, to)
    .map(({ name }) => `<li class=row style="height:30px"><b>${name}</b> <button>Show</button>`)
    .join("");

/**
 * A list with `close`, `isOpen` and `open`, which shows an overlay with the size of the lamp whose button it gets.
 * @param style where the overlay is
 */
const overlaid = (
  style: string,
  script: string,
): string => `<div id=app><ul>${rowsOf(1, 4)}</ul></div><script>
  const app = document.getElementById("app"), overlay = () => document.querySelector("[role=dialog]");
  let isOpen = false, close = () => { overlay()?.remove(); isOpen = false; };
  const open = (button) => { isOpen = true; overlay()?.remove();
    document.body.insertAdjacentHTML("beforeend", "<div role=dialog style='position:fixed;background:#fff;${style}'><p class=size>Size " + button.previousElementSibling.textContent.slice(5) + "</div>"); };
  addEventListener("keydown", ({ key }) => { if (key === "Escape") close(); });
  ${script}</script>`;

/** Three pages of rows, each with a dialog over the page, which takes no clicks meanwhile. */
const paged = (lock: string, unlock: string): Page => ({
  html: overlaid(
    "inset:0;pointer-events:auto",
    `const [list] = app.children; let page = 1;
    app.insertAdjacentHTML("beforeend", "<button id=next>Next</button>");
    const pages = ${JSON.stringify([rowsOf(1, 4), rowsOf(5, 8), rowsOf(9, 12)])};
    next.onclick = () => { list.innerHTML = pages[page]; page += 1; next.disabled = page === 3; };
    list.onclick = ({ target }) => { if (target.localName === "button") { open(target); ${lock} } };
    const remove = close; close = () => { remove(); ${unlock} };`,
  ),
  pagination: { type: "next_button", field_name: "Next" },
  rows: sized(12),
});

const toggled = (
  outside: string,
) => `let wasOpen; addEventListener("pointerdown", () => { wasOpen = isOpen; ${outside} });
  addEventListener("click", ({ target }) => { if (!wasOpen && target.localName === "button") open(target); });`;

export default {
  "what the steps of a row leave open": {
    steps: [visit(), list],
    variants: {
      "takes the clicks of the whole page": paged(
        "document.body.style.pointerEvents = 'none';",
        "document.body.style.pointerEvents = '';",
      ),
      "makes the whole page inert": paged("app.inert = true;", "app.inert = false;"),
      "makes the page inert, and covers none of it": {
        html: overlaid(
          "top:400px",
          `app.onclick = ({ target }) => { if (target.localName === "button") { open(target); app.inert = true; } };
          const remove = close; close = () => { remove(); app.inert = false; };`,
        ),
        rows: sized(4),
      },
      "covers the button of the next row, and does not say that it is a dialog": {
        html: overlaid(
          "left:0;width:150px;height:500px;top:0",
          `app.onclick = ({ target }) => { if (target.localName === "button") open(target); };`,
        )
          .replace("[role=dialog]", ".overlay")
          .replace("role=dialog", "class=overlay"),
        rows: sized(4),
      },
      "closes with the press of the next button, which does nothing else": {
        html: overlaid("top:400px", toggled("close();")),
        rows: sized(4),
      },
      "fades out with the press of the next button, which does nothing else": {
        html: overlaid(
          "top:400px",
          `${toggled("close();")} close = () => { isOpen = false; overlay()?.animate({ opacity: 0 }, 150).finished.then(() => { if (!isOpen) overlay().hidden = true; }); };`,
        ),
        rows: sized(4),
      },
    },
  },
} satisfies Pages;
