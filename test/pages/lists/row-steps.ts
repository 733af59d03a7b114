import { deepEqual } from "node:assert/strict";
import type { RowStep } from "../../../functions/contract/steps/action-steps.ts";
import type { Step, StepOf } from "../../../functions/contract/steps/steps.ts";
import { type Handler, sendHtml } from "../../site/site.ts";
import { type Page, type Pages, pageOf, SITE, visit } from "../page.ts";
import { translated } from "../parts/windowed.ts";

type List = StepOf<"get_list">;

const ads = {
  type: "get_list",
  selector: ".ad",
  fields: [
    { name: "name", selector: "b" },
    { name: "phone", selector: ".tel" },
  ],
} as const satisfies List;
const show: RowStep = { type: "click", field_name: "Show phone" };

const steps = (each: RowStep[], more: Partial<List> = {}): Step[] => [visit(), { ...ads, each, ...more }];

const ad = (n: number, button = "<button>Show phone</button>") =>
  `<div class=ad data-n=${n}><b>Ad ${n}</b> <span class=tel>555-…</span> ${button}</div>`;
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);
const adsHtml = (from: number, to: number) =>
  range(from, to)
    .map((n) => ad(n))
    .join("");
const called = (from: number, to: number) =>
  range(from, to).map((n) => ({ name: `Ad ${n}`, phone: `555-${n}` }));

/** Shows the number of a row when its button is pressed, which goes. */
const REVEAL = `<script>addEventListener("click", async ({ target }) => {
  if (target.localName !== "button" || target.id) return;
  const row = target.closest(".ad");
  row.querySelector(".tel").textContent = await (await fetch("/phone?" + row.dataset.n)).text();
  target.remove();
})</script>`;
const phone: Handler = ({ url = "" }, response) => void response.end(`555-${url.split("?")[1]}`);
const revealing = (html: string, more: Page["routes"] = {}): Pick<Page, "routes"> => ({
  routes: { "/": html + REVEAL, "/phone": phone, ...more },
});

/** Gets three more rows when its end comes into view. */
const DRAWN_ANEW = `<style>.ad{height:400px}</style><main></main><p id=end>…</p><script>
  const ads = ${JSON.stringify(range(1, 9).map((n) => ad(n)))}, main = document.querySelector("main");
  let count = 0;
  const watch = new IntersectionObserver(([{ isIntersecting }]) => {
    if (!isIntersecting || count >= 9) return;
    setTimeout(() => { main.innerHTML = ads.slice(0, count += 3).join(""); watch.unobserve(end); watch.observe(end); }, 100);
  });
  watch.observe(end);</script>`;

/** The number of one row at a time, whose button shows and hides it. */
const ACCORDION = `<main></main><script>
  let open = 1;
  const toggle = (n) => { open = open === n ? 0 : n; draw(); };
  const draw = () => { document.querySelector("main").innerHTML = [1, 2, 3].map((n) =>
    "<div class=ad><b>Ad " + n + "</b><button aria-expanded=" + (open === n) + " onclick=toggle(" + n + ")>Show phone</button>" +
    (open === n ? "<p class=tel>555-" + n + "</p>" : "") + "</div>").join(""); };
  draw();</script>`;

/** What rows show elsewhere than in the row. */
const shown = { details: { fields: [{ name: "size", selector: ".size" }] } };
const names = { fields: [{ name: "name", selector: "b" }] };
const sized = (from: number, to: number) =>
  range(from, to).map((n) => ({ name: `Ad ${n}`, size: `Size ${n}` }));
const links = (from: number, to: number) =>
  range(from, to)
    .map((n) => `<div class=ad onclick="location.href = '/item?page=${n}'"><b>Ad ${n}</b></div>`)
    .join("");
const item: Handler = (request, response) =>
  sendHtml(response, `<h1>Item</h1><p class=size>Size ${pageOf(request)}</p>`);

/** Shows a row in place of the list, and the list again, drawn anew, when it goes back. */
const ROUTED = `<main></main><script>
  const draw = () => {
    const at = new URLSearchParams(location.search).get("item");
    document.querySelector("main").innerHTML = at
      ? "<h1>Item</h1><p class=size>Size " + at + "</p>"
      : [1, 2, 3].map((n) => "<div class=ad data-n=" + n + "><b>" + (n === 2 ? "Ad" : "Twin") + "</b><i>" + Math.random() + "</i></div>").join("");
  };
  onpopstate = draw;
  addEventListener("click", ({ target }) => {
    const row = target.closest(".ad");
    if (row) { history.pushState(null, "", "?item=" + row.dataset.n); setTimeout(draw, 50); }
  });
  draw();
</script>`;

const panel = (attributes: string, close: string) => `<div id=list>${adsHtml(1, 3)}</div>
  <${attributes}><p class=size></p><button id=close>Close</button></${attributes.split(" ")[0]}>
  <script>
    const panel = document.getElementById("panel");
    list.onclick = ({ target }) => {
      panel.querySelector(".size").textContent = "Size " + target.closest(".ad").dataset.n;
      ${close === "dialog" ? "panel.showModal()" : "panel.hidden = false"};
    };
    document.getElementById("close").onclick = () => { ${close === "dialog" ? "panel.close()" : "panel.hidden = true"}; };
  </script>`;

/** A panel beside the list, which the button of a row fills. @param act what else the button does */
const beside = (rows: string, act = "") => `<div id=list>${rows}</div><div id=panel></div><script>
  list.onclick = async ({ target }) => {
    if (target.localName !== "button") return;
    const row = target.closest(".ad");
    ${act}
    const answer = await fetch("/phone?" + row.dataset.n);
    if (answer.ok) panel.innerHTML = "<p class=size>Size " + (await answer.text()).slice(4) + "</p>";
  };
</script>`;
const sizes = (...of: (string | undefined)[]) =>
  of.map((size, at) => ({ name: `Ad ${at + 1}`, ...(size !== undefined && { size: `Size ${size}` }) }));
/** Some rows have none, and some have that of another. */
const size: Handler = ({ url = "" }, response) => {
  const n = url.split("?")[1];
  if (n === "2") response.statusCode = 500;
  response.end(`555-${n === "4" ? 3 : n}`);
};
const CHOOSES = "for (const one of list.children) one.classList.toggle('chosen', one === row);";

const numbered: Handler = (request, response) => {
  const page = pageOf(request);
  const next = page < 3 ? `<a href="?page=${page + 1}">Next</a>` : "";
  sendHtml(response, `${adsHtml(3 * page - 2, 3 * page)}${next}${REVEAL}`);
};
const linked: Handler = (request, response) => {
  const page = pageOf(request);
  const next = page < 2 ? `<a href="?page=${page + 1}">Next</a>` : "";
  sendHtml(response, `${links(2 * page - 1, 2 * page)}${next}`);
};

/** Adds two rows with each press, up to six. */
const MORE = `<div id=list>${adsHtml(1, 2)}</div><button id=more>More</button><script>
  let count = 2;
  more.onclick = () => {
    for (const n of [count + 1, count + 2])
      list.insertAdjacentHTML("beforeend", ${JSON.stringify(ad(0))}.replaceAll("Ad 0", "Ad " + n).replace("data-n=0", "data-n=" + n));
    count += 2;
    if (count >= 6) more.remove();
  };
</script>`;

/** Shows other rows in place of the first ones. Its button stays, without an effect. */
const PAGED = `<div id=list>${adsHtml(1, 2)}</div><button id=next>Next</button><script>
  document.getElementById("next").onclick = () => {
    if (!list.textContent.includes("Ad 3")) list.innerHTML = ${JSON.stringify(adsHtml(3, 4))};
  };
</script>`;

const pages: Pages = {
  "a button in each row shows its value": {
    ...revealing(adsHtml(1, 4)),
    steps: steps([show]),
    rows: called(1, 4),
    variants: {
      "found by a selector": { steps: steps([{ type: "click", selector: "button" }]) },
      "rows that only Playwright can find": {
        steps: steps([{ type: "click", selector: "button:visible" }], { selector: ".ad:has-text('Ad')" }),
      },
      "on a keyboard": {
        steps: steps([
          { type: "press_key", selector: "button", value: "Enter" },
          { type: "wait", text: "555-" },
        ]),
      },
    },
  },
  "a step before the list whose element each row has": {
    ...revealing("", { "/": numbered }),
    steps: [visit(), { type: "click", field_name: "Show phone" }, ads],
    pagination: { type: "next_button", field_name: "Next" },
    rows: called(1, 9),
    warnings: [
      { code: "step_for_each_row", step: 1, message: /^Each of 3 rows .* matches .*"each" of the list\./ },
    ],
    variants: {
      "found by its name, on each page": {},
      "found by a selector, with a pause after it": {
        steps: [visit(), { type: "click", selector: "button" }, { type: "wait", value: 100 }, ads],
      },
      "and something else has it, too": {
        routes: { "/": `<button>Show phone</button>${adsHtml(1, 3)}` },
        pagination: { type: "none" },
        rows: [],
        warnings: [],
        failure: { code: "element_ambiguous", step: 1 },
      },
      "that is the row itself: the first is meant": {
        routes: {
          "/": `<button class=ad>Ad 1</button><button class=ad>Ad 2</button><script>
            document.querySelector(".ad").onclick = ({ target }) => { target.textContent = "Ad 3"; }</script>`,
        },
        steps: [
          visit(),
          { type: "click", selector: ".ad" },
          { type: "get_list", selector: ".ad", fields: [{ name: "name" }] },
        ],
        pagination: { type: "none" },
        rows: [{ name: "Ad 3" }, { name: "Ad 2" }],
        warnings: [],
      },
      "that sends a form": {
        routes: {
          "/": range(1, 3)
            .map((n) => ad(n, "<form method=post><button>Show phone</button></form>"))
            .join(""),
        },
        pagination: { type: "none" },
        rows: [],
        warnings: [],
        failure: { code: "element_ambiguous", step: 1 },
      },
      "that leads to a page of its own: the first is meant": {
        routes: {
          "/": range(1, 3)
            .map((n) => ad(n, `<a href=/more?page=${n}>Open</a>`))
            .join(""),
          "/more": (request, response) => sendHtml(response, ad(10 * pageOf(request), "")),
        },
        steps: [visit(), { type: "click", selector: ".ad a" }, ads],
        pagination: { type: "none" },
        rows: [{ name: "Ad 10", phone: "555-…" }],
        warnings: [],
      },
    },
  },
  "a row without the element": {
    ...revealing(ad(1) + ad(2, "") + ad(3)),
    steps: steps([{ ...show, optional: true }]),
    rows: [called(1, 1), [{ name: "Ad 2", phone: "555-…" }], called(3, 3)].flat(),
    variants: {
      "that is not optional": {
        steps: steps([show]),
        rows: called(1, 1),
        failure: {
          code: "element_not_found",
          step: 1,
          message:
            /^Row 2 of the list, step 1 of "each" \(click\): .*"Show phone" in the row of .*optional\.$/,
        },
      },
      "and no row has it": {
        steps: steps([{ ...show, field_name: "Reveal", optional: true }]),
        rows: range(1, 3).map((n) => ({ name: `Ad ${n}`, phone: "555-…" })),
        warnings: [{ code: "row_steps_skipped", step: 1 }],
      },
    },
  },
  "only for the rows that are wanted": {
    ...revealing(adsHtml(1, 4)),
    steps: steps([show]),
    rows_limit: 2,
    rows: called(1, 2),
    check: (_, { requests }) =>
      deepEqual(
        requests.filter((url) => url.startsWith("/phone")),
        ["/phone?1", "/phone?2"],
      ),
  },
  "pages of documents": {
    routes: { "/": numbered, "/phone": phone },
    steps: steps([show]),
    pagination: { type: "next_button", field_name: "Next" },
    rows: called(1, 9),
    variants: {
      "with an engine for HTTP": { engine: "http", warnings: ["http_not_used"] },
      "by their addresses": {
        pagination: { type: "url_template", url: `${SITE}/?page={page}`, max_pages: 3 },
      },
    },
  },
  "rows that are added": {
    steps: steps([show]),
    variants: {
      "": { ...revealing(MORE), pagination: { type: "load_more", field_name: "More" }, rows: called(1, 6) },
      "while all are drawn anew, as they were before their steps": {
        ...revealing(DRAWN_ANEW),
        pagination: { type: "infinite_scroll" },
        rows: called(1, 9),
      },
    },
  },
  "other rows in place of the first": {
    ...revealing(PAGED),
    steps: steps([show]),
    pagination: { type: "next_button", field_name: "Next" },
    rows: called(1, 4),
  },
  "a windowed list": {
    html: translated({
      count: 40,
      text: `"Lamp " + (n + 1) + "</b><button data-n=" + n + ">Price</button><b class=price>" + (prices[n] ?? "")`,
    }).replace(
      "<script>",
      `<script>const prices = {}; addEventListener("click", ({ target }) => {
        if (target.localName !== "button") return;
        prices[target.dataset.n] = target.dataset.n + ".00"; draw();
      });`,
    ),
    steps: [
      visit(),
      {
        type: "get_list",
        selector: ".row",
        fields: [
          { name: "name", selector: "b" },
          { name: "price", selector: ".price" },
        ],
        each: [{ type: "click", selector: "button" }],
      },
    ],
    pagination: { type: "infinite_scroll" },
    rows: range(1, 40).map((n) => ({ name: `Lamp ${n}`, price: `${n - 1}.00` })),
  },
  "one of which shows its value already, and no longer after a click": {
    html: ACCORDION,
    steps: steps([show]),
    rows: called(1, 3),
    variants: {
      "": {},
      "while the page renders all of them anew": {
        html: ACCORDION.replace("draw();</script>", "setInterval(draw, 300); draw();</script>"),
      },
    },
  },
  "a tooltip": {
    html: `${adsHtml(1, 3)}<script>
      for (const row of document.querySelectorAll(".ad b")) {
        row.onmouseenter = () => setTimeout(() => document.body.insertAdjacentHTML("beforeend",
          "<p role=tooltip class=size>Size " + row.parentElement.dataset.n + "</p>"), 300);
        row.onmouseleave = () => document.querySelector(".size")?.remove();
      }
    </script>`,
    steps: steps([{ type: "hover", selector: "b" }], { ...names, ...shown }),
    rows: sized(1, 3),
  },
  "a dialog above the list": {
    html: panel("dialog id=panel", "dialog"),
    steps: steps([{ type: "click", selector: "b" }], { ...names, ...shown }),
    rows: sized(1, 3),
    variants: {
      "that a step closes": {
        html: panel('div id=panel style="position:fixed;inset:0;background:white" hidden', "hidden"),
        steps: steps(
          [
            { type: "click", field_name: "Close", scope: "page", optional: true },
            { type: "click", selector: "b" },
          ],
          { ...names, ...shown },
        ),
      },
    },
  },
  "rows that lead to another page and have no address": {
    routes: { "/": linked, "/item": item },
    steps: steps([{ type: "click" }], { ...names, ...shown }),
    pagination: { type: "next_button", field_name: "Next" },
    rows: sized(1, 4),
    variants: {
      "in a new tab": {
        routes: {
          "/": links(1, 2).replaceAll("location.href = ", "window.open(").replaceAll(`'"`, `')"`),
          "/item": item,
        },
        rows: sized(1, 2),
        pagination: { type: "none" },
      },
      "in a frame": {
        routes: { "/": "<iframe src=/list></iframe>", "/list": links(1, 3), "/item": item },
        steps: steps([{ type: "click" }], { ...names, ...shown, frame: "iframe" }),
        rows: sized(1, 3),
        pagination: { type: "none" },
      },
      "without a way back": {
        routes: {
          "/": links(1, 2).replaceAll("location.href = ", "location.replace(").replaceAll(`'"`, `')"`),
          "/item": item,
        },
        rows: [],
        pagination: { type: "none" },
        failure: { code: "navigation_failed", step: 1, message: "details" },
      },
    },
  },
  "rows that open in place of the list": {
    html: ROUTED,
    steps: steps([{ type: "click" }], { ...names, ...shown }),
    rows: [
      { name: "Twin", size: "Size 1" },
      { name: "Ad", size: "Size 2" },
      { name: "Twin", size: "Size 3" },
    ],
  },
  "rows that are lost when the list comes back": {
    routes: {
      "/": `<div id=list>${links(1, 2)}</div><button id=more>More</button><script>
        more.onclick = () => { list.insertAdjacentHTML("beforeend", ${JSON.stringify(links(3, 4))}); more.remove(); };
      </script>`,
      "/item": item,
    },
    steps: steps([{ type: "click", selector: "b" }], { ...names, ...shown }),
    pagination: { type: "load_more", field_name: "More" },
    rows: sized(1, 3),
    failure: { code: "element_not_found", message: "lacks rows" },
  },
  "steps that show the same for all rows": {
    html: `${adsHtml(1, 3)}<p class=size>Size 1</p>`,
    steps: steps([{ type: "click", selector: "button" }], { ...names, ...shown }),
    rows: range(1, 3).map((n) => ({ name: `Ad ${n}`, size: "Size 1" })),
    warnings: [{ code: "details_repeated", step: 1, count: 3 }],
  },
  "a row whose steps show nothing, after a row whose details stay": {
    steps: steps([{ ...show, optional: true }], { ...names, ...shown }),
    variants: {
      "as it has no button": {
        routes: { "/": beside(ad(1) + ad(2, "") + ad(3, "") + ad(4)), "/phone": phone },
        rows: sizes("1", undefined, undefined, "4"),
        // A run that is resumed after the first row warns: it does not see the details of that row.
        isStateful: true,
      },
      "as it has no button, and the details stay in a dialog": {
        html: panel("dialog id=panel", "dialog").replace(adsHtml(1, 3), ad(1) + ad(2, "") + ad(3)),
        rows: sizes("1", undefined, "3"),
      },
      "as its request fails": {
        routes: { "/": beside(adsHtml(1, 3)), "/phone": size },
        rows: sizes("1", undefined, "3"),
        warnings: [{ code: "details_missing", step: 1, count: 1, message: "changed nothing" }],
      },
      "as its request fails, which is not certain": {
        routes: { "/": beside(adsHtml(1, 3), CHOOSES), "/phone": size },
        rows: sizes("1", "1", "3"),
        warnings: [{ code: "details_repeated", step: 1, count: 1, message: "/phone (status 500) failed" }],
      },
      "but it has the same details": {
        routes: { "/": beside(adsHtml(3, 5), CHOOSES), "/phone": size },
        rows: [
          { name: "Ad 3", size: "Size 3" },
          { name: "Ad 4", size: "Size 3" },
          { name: "Ad 5", size: "Size 5" },
        ],
      },
      "but the first row's details were there before": {
        html: beside(adsHtml(1, 2)).replace(
          "<script>",
          "<script>panel.innerHTML = '<p class=size>Size 1</p>';",
        ),
        routes: { "/phone": phone },
        rows: sizes("1", "2"),
      },
    },
  },
  "a dropdown in each row": {
    html: range(1, 2)
      .map(
        (
          n,
        ) => `<div class=ad><b>Ad ${n}</b><select onchange="this.nextSibling.textContent = this.value + ' ${n}'">
          <option>Small<option>Large</select><span class=tel>Small ${n}</span></div>`,
      )
      .join(""),
    steps: steps([{ type: "select_dropdown", selector: "select", value: "Large" }]),
    rows: range(1, 2).map((n) => ({ name: `Ad ${n}`, phone: `Large ${n}` })),
  },
};
export default pages;
