import { sendHtml } from "../../site/site.ts";
import { cards, lamps, type Page, type Pages, type Routes } from "../page.ts";

/* Lists whose scripts fail: a run warns where rows may be missing for that reason. */

const BATCH = 10;
const FIRST = `<ul>${cards(1, BATCH)}</ul><button>More</button>`;

/** Parts of the list, and one that is HTML instead of JSON, as a page that asks for consent. */
const routes: Routes = Object.fromEntries(
  [1, 2, 3].map((part) => [
    `/${part}`,
    (_, response) => {
      if (part === 3) return sendHtml(response, "<h1>Welcome</h1>");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ html: cards(part * BATCH + 1, (part + 1) * BATCH) }));
    },
  ]),
);

const list = (script: string, type: "load_more" | "next_button" | "infinite_scroll", body = FIRST): Page => ({
  html: `${body}<script>
    let part = 0, loading = false;
    const list = document.querySelector("ul");
    async function next(show) {
      if (loading) return;
      loading = true;
      const answer = await fetch("/" + ++part);
      show((await answer.json()).html);
      loading = false;
    }
    ${script}
  </script>`,
  routes,
  pagination: type === "infinite_scroll" ? { type } : { type, selector: "button" },
  rows: lamps(1, 30),
});
const warned = (page: Page, error: string): Page => ({
  ...page,
  warnings: [{ code: "rows_may_be_missing", step: 1, message: error }],
});

const onPress = (press: string) => `document.querySelector("button").onclick = () => { ${press} };`;
const APPEND = `list.insertAdjacentHTML("beforeend", html);`;
const NOT_JSON = "is not valid JSON";

/** A list of 400 rows of which only a window exists, and whose script fails behind the first 40. */
const WINDOWED = `
  const box = document.querySelector("div");
  const rows = (from) => Array.from({ length: 15 }, (_, i) =>
    '<li class=card style="top:' + (from + i) * 30 + 'px">Lamp ' + (from + i + 1) + '</li>').join("");
  list.innerHTML = rows(0);
  box.onscroll = () => {
    const from = Math.floor(box.scrollTop / 30);
    if (from > 40) throw new TypeError("rows is undefined");
    list.innerHTML = rows(Math.min(from, 385));
  };`;
const BOX = `<style>
  div { height: 300px; overflow: auto }
  ul { height: 12000px; position: relative; margin: 0 }
  li { position: absolute; height: 30px }
</style><div><ul></ul></div>`;

/** Ends with its third part, and then does something else. */
const whole = (then: string, before = "") =>
  `${before} ${onPress(`next((html) => { ${APPEND} if (part === 2) document.querySelector("button").remove(); ${then} });`)}`;

export default {
  "in the middle of a list": {
    variants: {
      "after a press": warned(list(onPress(`next((html) => { ${APPEND} });`), "load_more"), NOT_JSON),
      "after a press, and logged": warned(
        list(
          onPress(`next((html) => { ${APPEND} }).catch((error) => console.error("Sorry:", error));`),
          "load_more",
        ),
        NOT_JSON,
      ),
      "at a press, before anything is requested": warned(
        list(onPress(`if (part === 2) rowsOfPart(); next((html) => { ${APPEND} });`), "load_more"),
        "rowsOfPart is not defined",
      ),
      "at a press for the next page": warned(
        list(
          onPress(`if (part === 2) rowsOfPart(); next((html) => { list.innerHTML = html; });`),
          "next_button",
        ),
        "rowsOfPart is not defined",
      ),
      "after a press for the next page": warned(
        list(onPress(`next((html) => { list.innerHTML = html; });`), "next_button"),
        NOT_JSON,
      ),
      "after scrolling": warned(
        list(
          `addEventListener("scroll", () => {
            if (innerHeight + scrollY > document.body.scrollHeight - 50) next((html) => { ${APPEND} });
          });`,
          "infinite_scroll",
          `<style>li { height: 200px }</style><ul>${cards(1, BATCH)}</ul>`,
        ),
        NOT_JSON,
      ),
      "in a window": {
        ...warned(list(WINDOWED, "infinite_scroll", BOX), "TypeError: rows is undefined"),
        rows: lamps(1, 55),
      },
    },
  },
  "that tell nothing of a list that has ended": {
    variants: {
      "before its last rows": list(
        whole("", 'setTimeout(() => missing(), 0); console.error(new Error("tracker"));'),
        "load_more",
      ),
      "after each part of it": list(whole("setTimeout(() => missing(), 0);"), "load_more"),
      "where the page says that it shows the last rows": list(
        whole(`if (part === 2) setTimeout(() => missing(), 0);
          document.querySelector("p").textContent = "1–" + (part + 1) * 10 + " of 30";`),
        "load_more",
        `${FIRST}<p>1–10 of 30</p>`,
      ),
    },
  },
} satisfies Pages;
