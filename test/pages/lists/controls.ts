import type { Pagination } from "../../../functions/contract/scrapers/scraper.ts";
import { sendHtml } from "../../site/site.ts";
import { cards, lamps, type Page, type Pages, pageOf, SCRIPT, SITE } from "../page.ts";
import { type Body, linkedPages, listOf } from "../parts/linked-pages.ts";

/** Which of a page's elements is the control that shows more of a list, and what is told if there is none. */

const byName = { type: "next_button", field_name: "Next" } as const;
const bySelector = { type: "next_button", selector: ".next" } as const;
const byText = { type: "next_button", selector: "text=Next" } as const;
const loadMore = { type: "load_more", selector: ".next" } as const;

const threeLamps = listOf(1);

const missing = { code: "pagination_control_missing", step: 1 };

/** A page's control is missing. */
const without = (html: string, pagination: Pagination, more: Page = {}): Page => ({
  html: threeLamps + html,
  pagination,
  rows: lamps(1, 3),
  ...more,
});
const idle = { code: "rows_may_be_missing", step: 1, message: "had no effect" };
const warned = { warnings: [{ ...missing, message: "one page only" }] };
const failed = { failure: missing };

const next = '<a class=next href="/elsewhere">Next</a>';
const link = (href: string) => `<a class=next href="${href}">Next</a>`;
const COVER = '<div style="position:fixed;inset:0;background:#fff">Subscribe!</div>';

/** What has "Next" in its name, and is not the control. */
const others: Body[] = [
  (list, href) => `<blockquote>What comes next?</blockquote>${list}${link(href)}`,
  (list, href) => `<blockquote>What comes next?</blockquote>${list}${link(href)}`,
  (list, href) => `<header>${next}</header>${list}${link(href)}<footer>${next}</footer>`,
  (list, href) => `<div>${next}</div><section><div>${list}</div>${link(href)}</section>`,
  (list, href) => `<p>${next}</p>${list}<div class=pagination>${link(href)}</div>`,
  (list, href) => `<section>${list}<footer>${link(href)}</footer></section><p>${next}</p>`,
  (list, href) => `${link(`${href}#top`)}${list}${link(href)}`,
  (list, href) => `<a class=next hidden href="/elsewhere">Next</a>${list}${link(href)}`,
  (list, href) => `${list}<button class=next onclick="location='${href}'">Next</button>${COVER}`,
  (list, href) =>
    `${list}<svg width=60 height=20><a class=next href="${href}"><text y=15>Next</text></a></svg>`,
  (list, href) =>
    `${list}<svg width=60 height=20><a class=next href="${href}"><text y=15>Next</text></a></svg>`,
];

/** What else has the name "Next". */
const named: Body[] = [
  (list, href) =>
    `<nav><a href="/elsewhere">Next month</a> <a href="/elsewhere">Next 20</a></nav>${list}<p><a href="${href}">Next &raquo;</a></p>`,
  (list, href) => `${list}<a href="${href}">Next (12)</a>`,
  (list, href) => `${list}<ul class=pager><li title="Next"><a href="${href}">&gt;</a></li></ul>`,
  (list, href) => `${list}<a href="${href}"><i aria-label="next">&gt;</i></a>`,
  (list, href) => `${list}<a href="${href}">Next 20</a>`,
  (list, href) =>
    `${list}<a href="${href}"><i style="position:absolute;width:1px;height:1px;overflow:hidden">Next page</i><i>Next ›</i></a>`,
  (list, href) =>
    `<section><button type=button>Next</button></section><div><a href="${href}">Next</a></div>${list}<div><a href="${href}">Next</a></div>`,
];

/** On each page, a product has the control's name in a longer one. On pages that have a control, it may also be called like it. */
const products = (pages: number) => (n: number) => {
  if (n % 3 !== 2) return `Lamp ${n}`;
  return n % 2 && n <= pages * 3 ? "<i class=next>Next</i>" : `My Life Next Door ${n}`;
};

const chosen = (pagination: Pagination, bodies: readonly Body[]): Page => {
  const text = products(bodies.length);
  return {
    routes: {
      ...linkedPages(bodies, '<p><a href="/elsewhere">Next month</a></p>', text),
      "/elsewhere": listOf(100),
    },
    pagination,
    rows: Array.from({ length: bodies.length * 3 + 3 }, (_, index) => ({
      name: text(index + 1).replace(/<.+?>/g, ""),
    })),
    loads: bodies.length + 1,
  };
};

const two = ["/one", "/two"].map(link).join(threeLamps);

/** Twenty rows, of which each press shows two more, or two others. */
const hiding = (show: string) => `<ul>${cards(1, 20)}</ul><a class=next href="#">Next</a><script>
  let shown = -2; const list = document.querySelector("ul"), rows = [...list.children];
  const go = () => { if (shown === 20) return;
    shown += 2;
    if (shown < 20) rows.forEach((row, index) => { ${show}; });
    // end
  };
  document.querySelector(".next").onclick = go; go();</script>`;

/** A script makes a control of each of these, one after another. */
const plain = [
  "<div>Ne&shy;xt</div>",
  "<ul><li><span>next\n</span></li></ul>",
  "<ul><li><input type=radio hidden id=on><label for=on aria-label=Next>›</label></li></ul>",
  '<img alt=Next width=16 height=16 src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">',
];

/** The list of one press after another: the first reacts to a script, too, the second and third only to the pointer. */
const pressed = `${threeLamps}<button class=next>Next</button><script>
  let page = 1; const list = document.querySelector("ul"), next = document.querySelector(".next");
  const show = () => { page += 1; if (page === 4) next.remove();
    list.innerHTML = [2, 1, 0].map((i) => '<li class=card>Lamp ' + (page * 3 - i) + '</li>').join(""); };
  next.onclick = () => { if (page === 1) show(); };
  next.onpointerdown = (event) => { if (page > 1 && event.isTrusted) show(); };</script>`;

/** A control whose script starts late, once `start` calls `begin`. Then it does what was pressed before, if it keeps that. */
const lateControl = (start: string, keeps = false) => `<style>ul { margin-bottom: 1200px }</style><ul></ul>
  <button class=next>Next</button><script>
  let page = 0, hasBegun = false, kept = 0; const list = document.querySelector("ul"), next = document.querySelector(".next");
  const show = () => { page += 1; next.disabled = page >= 4;
    list.innerHTML = [2, 1, 0].map((i) => "<li class=card>Lamp " + (page * 3 - i) + "</li>").join(""); };
  const begin = () => setTimeout(() => { hasBegun = true; for (; kept > 0; kept--) show(); }, 400);
  next.onclick = () => { if (hasBegun) show(); else if (${keeps}) kept++; };
  show(); ${start}</script>`;
const IN_VIEW = `new IntersectionObserver(([entry], observer) => {
  if (entry.isIntersecting) { observer.disconnect(); begin(); } }).observe(next);`;

/** A pager whose arrows have one name, and tooltips around them: the first goes on by five pages. */
const arrows = (far: string, near: string) => `<main></main><ul>
  <li title="${far}"><button aria-label="next page"></button></li>
  <li title="${near}"><button aria-label="next page"></button></li></ul><script>
  let page = 0;
  const show = (pages) => { page = Math.min(7, page + pages); document.querySelector("main").innerHTML =
    [2, 1, 0].map((i) => "<p class=card>Lamp " + (page * 3 - i) + "</p>").join("");
    for (const arrow of document.querySelectorAll("button")) arrow.disabled = page === 7; };
  [5, 1].forEach((pages, at) => { document.querySelectorAll("button")[at].addEventListener("click", () => show(pages)); });
  show(1);</script>`;

/** A control that is hidden at the end, in an item that is not: what it would show is no part of the list. */
const inItem = `<ul></ul><div class=next><a href="#">Next</a></div><script>
  let page = 0; const list = document.querySelector("ul"), next = document.querySelector(".next a");
  const show = () => { page += 1; next.hidden = page >= 3;
    list.innerHTML = [2, 1, 0].map((i) => "<li class=card>" + (page > 3 ? "You may like " : "Lamp ") + (page * 3 - i) + "</li>").join(""); };
  next.onclick = (event) => { event.preventDefault(); show(); }; show();</script>`;

/** Something else has a button like the list's own, which stands further away. */
const alike = (name: string, add = "") => `<main><ul></ul></main>
  <section><h2>Comments</h2><p>Nice!</p><button id=other>${name}</button></section><p><button id=own>${name}</button></p><script>
  let page = 0; const list = document.querySelector("ul");
  const show = () => { page += 1; own.hidden = page >= 4;
    list.innerHTML ${add}= [2, 1, 0].map((i) => "<li class=card>Lamp " + (page * 3 - i) + "</li>").join(""); };
  own.onclick = show; show();
  other.onclick = async () => { other.before(await (await fetch("/comment")).text()); };</script>`;

export default {
  "a button of something else that looks like the list's own": {
    routes: { "/comment": "Me, too!" },
    rows: lamps(1, 12),
    variants: {
      "to load more": { html: alike("More", "+"), pagination: { type: "load_more", field_name: "More" } },
      "to load more, by a selector": {
        html: alike("More", "+"),
        pagination: { type: "load_more", selector: "main ~ * button" },
      },
      "to the next page": { html: alike("Next"), pagination: byName },
      "which asks for nothing": {
        html: alike("More", "+").replace(/fetch\(.*?\)\)\.text\(\)/, '"Me, too!")'),
        pagination: { type: "load_more", field_name: "More" },
      },
    },
  },
  "a control that has no effect at all": {
    rows: lamps(1, 3),
    variants: {
      "because it belongs to something else": {
        html: `<button onclick="this.nextElementSibling.textContent++">Next</button><b>1</b>${threeLamps}<a href="/a">Next page</a>`,
        pagination: byName,
        warnings: [idle],
      },
      "although it should load more": {
        html: `${threeLamps}<button class=next>More</button>${SCRIPT}`,
        pagination: loadMore,
        warnings: [idle],
      },
      "but to show other rows of those that are there": {
        html: hiding("row.hidden = index < shown || index >= shown + 2"),
        pagination: byName,
        rows: lamps(1, 20),
      },
      "but to show rows that are there, before it brings others": {
        html: hiding("row.hidden = index >= shown + 2").replace(
          "// end",
          `if (shown === 20) for (let n = 21; n < 24; n++) list.insertAdjacentHTML("beforeend", '<li class=card>Lamp ' + n + '</li>');`,
        ),
        pagination: loadMore,
        rows: lamps(1, 23),
      },
      "and does not look as if it had one": {
        html: `${threeLamps}<a class=next>Next</a>${SCRIPT}`,
        pagination: byName,
      },
      "where the list is whole": {
        html: `${threeLamps}<button class=next>Next</button><p>1–3 of 3</p>${SCRIPT}`,
        pagination: byName,
      },
    },
  },
  "a control that is hidden, in a box that is not": {
    html: inItem,
    rows: lamps(1, 9),
    variants: {
      "by name": { pagination: byName },
      "by a selector of the box": { pagination: bySelector },
      "beside the list's own": {
        html: `<div><button hidden>Next</button></div>${inItem.replace(">Next<", ' aria-label="Next page">›<')}`,
        pagination: byName,
        warnings: [{ code: "pagination_guessed", step: 1 }],
      },
      "beside another in the same box": {
        html: inItem.replace("<a ", "<button hidden>Next</button><a "),
        pagination: bySelector,
      },
    },
  },
  "arrows that only their tooltips tell apart": {
    pagination: { type: "next_button", field_name: "Next page" },
    variants: {
      "one of which has the name": { html: arrows("Next 5 pages", "Next page"), rows: lamps(1, 21) },
      "none of which has the name": {
        html: arrows("5 Seiten weiter", "Nächste Seite"),
        rows: lamps(1, 3),
        failure: "element_ambiguous",
      },
    },
  },
  "a control that is missing": {
    variants: {
      "by name": without("", byName, warned),
      "by name, which is required": without("", { ...byName, required: true }, failed),
      "by selector": without(SCRIPT, bySelector, warned),
      "by a selector of Playwright's": without("", byText, warned),
      "to load more": without(SCRIPT, loadMore, warned),
      "to load more, which is required": without(SCRIPT, { ...loadMore, required: true }, failed),
      "where a link in a long text has its name": without(
        '<p>What comes next, nobody knows; but <a href="/elsewhere">this page of ours</a> tells what people expect.</p>',
        byText,
        warned,
      ),
      "where no more rows are wanted": without("", { ...byName, max_pages: 1, required: true }),
      "where the page says that it has all rows": without("<p>1–3 of 3</p>", byName),
      "where the page says that it is the only one": without("<nav>Page 1 of 1</nav>", loadMore),
      "where the page says so, but which is required": without(
        "<p>1–3 of 3</p>",
        { ...byName, required: true },
        failed,
      ),
      "where the page says that there are more rows": without("<p>1–3 of 13</p>", byName, {
        warnings: [missing, "rows_may_be_missing"],
      }),
      "where the page says that these are the last rows": without("<p>4–6 of 6</p>", byName, warned),
      "where the page says that there are more pages": without("<p>Page 1 of 1,200</p>", byName, warned),
    },
  },
  "a control whose name has a number, which differs from page to page": {
    variants: {
      "at its end": {
        routes: linkedPages(
          ["Next 5", "Next 5", "Next 3"].map(
            (name) => (list: string, href: string) =>
              `${list}<a href="/elsewhere">Previous 5</a> <a href="${href}">${name}</a>`,
          ),
          '<a href="/elsewhere">Previous 5</a>',
        ),
        pagination: { type: "next_button", field_name: "Next 5" },
        rows: lamps(1, 12),
      },
      "within it, by a script": {
        html: `${threeLamps}<p>10 lamps</p><button>Show 4 more</button><script>
          const button = document.querySelector("button"); let n = 3;
          button.onclick = () => { const add = Math.min(4, 10 - n);
            for (let i = 0; i < add; i++) document.querySelector("ul").insertAdjacentHTML("beforeend", "<li class=card>Lamp " + ++n);
            button.textContent = "Show " + (10 - n) + " more"; if (n === 10) button.remove(); };</script>`,
        pagination: { type: "load_more", field_name: "Show 4 more" },
        rows: lamps(1, 10),
      },
      "that says which page it leads to: the numbers are different controls": {
        routes: linkedPages(
          [(list, href) => `${list}<a href="/elsewhere">Page 1</a> <a href="${href}">Page 2</a>`],
          '<a href="/elsewhere">Page 1</a> <a href="/elsewhere2">Page 3</a>',
        ),
        pagination: { type: "next_button", field_name: "Page 2" },
        rows: lamps(1, 6),
      },
    },
  },
  "a select of the pages": {
    rows: lamps(1, 9),
    variants: {
      "by its label, whose script shows the rows": {
        html: `<main></main><label>Page <select>${[1, 2, 3].map((n) => `<option value=${n}>Page ${n} of 3</option>`).join("")}</select></label><script>
          const show = (n) => { document.querySelector("main").innerHTML =
            [2, 1, 0].map((i) => "<p class=card>Lamp " + (n * 3 - i) + "</p>").join(""); };
          document.querySelector("select").onchange = ({ target }) => show(target.value); show(1);</script>`,
        pagination: { type: "next_button", field_name: "Page" },
      },
      "by a selector, whose options are addresses, and which not every page chooses": {
        routes: {
          "/": (request, response) => {
            const page = pageOf(request);
            const option = (n: number) =>
              `<option value="/?page=${n}"${n === 2 && n === page ? " selected" : ""}>Page ${n}</option>`;
            sendHtml(
              response,
              `${cards(page * 3 - 2, page * 3)}<select id=pages onchange="location = value">${[1, 2, 3, 4].map(option).join("")}</select>`,
            );
          },
        },
        pagination: { type: "next_button", selector: "#pages" },
        rows: lamps(1, 12),
        loads: 4,
      },
    },
  },
  "a control that can't be pressed is the end": {
    pagination: { ...bySelector, required: true },
    rows: lamps(1, 3),
    variants: {
      "by the attribute": { html: `${threeLamps}<button class=next disabled>Next</button>${SCRIPT}` },
      "by aria-disabled": { html: `${threeLamps}<a class=next aria-disabled=true href="/a">Next</a>` },
      "by a class": {
        html: `${threeLamps}<li class="page-item disabled"><a class=next href="/a">Next</a></li>`,
      },
      "as it is not shown": { html: `${threeLamps}<a class=next style="display:none" href="/a">Next</a>` },
      "hidden on the second page": {
        routes: linkedPages([(list, href) => list + link(href)], `<a class=next hidden>Next</a>${SCRIPT}`),
        rows: lamps(1, 6),
      },
      "disabled on the second page": {
        routes: linkedPages([(list, href) => list + link(href)], "<button class=next disabled>Next</button>"),
        rows: lamps(1, 6),
      },
    },
  },
  "the list's own control is pressed, and nothing of a similar name": {
    variants: {
      "by name": chosen(byName, [...others, ...named]),
      "by selector": chosen(bySelector, others),
      "by a text": chosen(byText, others),
      "by a text in CSS": chosen({ type: "next_button", selector: "a:has-text('Next')" }, others.slice(0, 3)),
      "by what is visible": chosen({ type: "next_button", selector: ".next:visible" }, others.slice(3, 8)),
    },
  },
  "a part of a name is pressed with a warning": {
    routes: linkedPages(
      Array.from({ length: 2 }, () => (list, href) => `${list}<a href="${href}">Next lamps</a>`),
    ),
    pagination: byName,
    rows: lamps(1, 9),
    warnings: [{ code: "pagination_guessed", step: 1, message: '"next lamps"' }],
  },
  "two that lead to different places are refused": {
    rows: lamps(1, 3),
    failure: {
      code: "element_ambiguous",
      step: 1,
      message: `<a> "next" to ${SITE}/one; <a> "next" to ${SITE}/two`,
    },
    variants: {
      "by name": { html: two, pagination: byName },
      "by selector": { html: two + SCRIPT, pagination: bySelector },
      "by a selector of Playwright's": {
        html: two,
        pagination: { type: "next_button", selector: ".next:visible" },
      },
      "to load more": { html: two + SCRIPT, pagination: loadMore },
    },
  },
  "what a script alone makes a control of, until it is disabled": {
    html: `${threeLamps}<form>${plain[0]}</form><script>
      const plain = ${JSON.stringify(plain)}; let page = 1; const list = document.querySelector("ul"), form = document.querySelector("form");
      form.onclick = (event) => {
        if (event.target === form || event.target.closest(".disabled")) return;
        form.innerHTML = plain[Math.min(page, 3)]; page += 1; form.firstChild.classList.toggle("disabled", page === 5);
        list.innerHTML = [2, 1, 0].map((i) => '<li class=card>Lamp ' + (page * 3 - i) + '</li>').join(""); };</script>`,
    pagination: byName,
    rows: lamps(1, 15),
  },
  "a control is pressed by script, and by the pointer where that does nothing": {
    html: pressed,
    rows: lamps(1, 12),
    variants: {
      "by CSS": { pagination: bySelector },
      "by XPath": { pagination: { type: "next_button", selector: "xpath=//button" } },
      "by a selector of Playwright's": {
        pagination: { type: "next_button", selector: "button >> text=Next" },
      },
    },
  },
  "a control of a page that takes no clicks at all, as in a tour": {
    html: `${lateControl("begin();")}<style>:not(b, b *) { pointer-events: none }</style><b>Turn pages here</b>`,
    pagination: byName,
    rows: lamps(1, 12),
  },
  "a control whose script starts late": {
    pagination: byName,
    rows: lamps(1, 12),
    variants: {
      "once it is in view": { html: lateControl(IN_VIEW) },
      "once it is in view, and does what was pressed before": { html: lateControl(IN_VIEW, true) },
      "once it is in view, of a list that seems windowed": {
        html: lateControl(IN_VIEW).replace("</ul>", '</ul><div style="height:1200px"></div>'),
      },
      "once it is pointed at": { html: lateControl("next.onpointerover = begin;") },
      "once it is pointed at, and does what was pressed before": {
        html: lateControl("next.onpointerover = begin;", true),
      },
      "once it is pointed at, of a list that grows": {
        html: lateControl("next.onpointerover = begin;", true).replace(
          "list.innerHTML =",
          "list.innerHTML +=",
        ),
        pagination: { type: "load_more", field_name: "Next" },
      },
    },
  },
  "a link that only the pointer could press, and that is covered, is followed by its address": {
    // Its script ignores clicks that no person made.
    routes: linkedPages([
      (list, href) =>
        `${list}${link(href)}${COVER}<script>addEventListener("click", (event) => { if (!event.isTrusted) event.preventDefault(); })</script>`,
    ]),
    pagination: { type: "next_button", selector: "a >> text=Next" },
    rows: lamps(1, 6),
  },
  "a click finds an element by a title around it": {
    html: '<ul><li title="All lamps"><a href="/a">→</a></li></ul>',
    routes: { "/a": threeLamps },
    steps: [
      { type: "visit", url: `${SITE}/` },
      { type: "click", field_name: "All lamps" },
      { type: "get_list", selector: ".card", fields: [{ name: "name" }] },
    ],
    rows: lamps(1, 3),
  },
} satisfies Pages;
