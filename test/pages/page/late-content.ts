import { cardList, cards, lamps, type Pages, visit } from "../page.ts";
import { answer, inParts, STUCK } from "../parts/documents.ts";

/* Content that is not there when the document is. */

const again = (then: string) =>
  `<h1>Old</h1><button onclick="fetch('/data').then(() => { ${then} })">Go</button>`;

export default {
  "a response in pieces, with pauses between its rows and before its next link": {
    routes: {
      "/": inParts(1_200, cards(1, 1), cards(2, 2), `<a class=next href=/next>Next</a>`),
      "/next": cards(3, 3),
    },
    steps: [visit(), cardList],
    pagination: { type: "next_button", selector: ".next" },
    rows: lamps(1, 3),
  },
  "a response that never ends": {
    routes: {
      "/": (_, response) => void response.writeHead(200, { "content-type": "text/html" }).write(cards(1, 5)),
    },
    steps: [visit(), { ...cardList, timeout_ms: 1_500 }],
    rows: lamps(1, 5),
    warnings: [{ code: "rows_may_be_missing", step: 1 }],
  },
  "a wait has as much patience as it says, although its text is there at once": {
    html: `<h1>Results</h1><div id=out></div><script>
      fetch("/data").then((answer) => answer.text()).then((text) => { out.innerHTML = text; });</script>`,
    routes: { "/data": answer(cards(1, 3), { ms: 11_000 }) },
    steps: [visit(), { type: "wait", text: "Results", timeout_ms: 60_000 }, cardList],
    rows: lamps(1, 3),
  },
  "an old list is not taken for the new one that a step brings": {
    html: `<input aria-label=Search><div id=out>${cards(1, 3)}</div><script>
      document.querySelector("input").oninput = ({ target }) => { clearTimeout(window.t); window.t = setTimeout(async () => {
        out.innerHTML = await (await fetch("/find?q=" + target.value)).text(); }, 250); };</script>`,
    routes: { "/find": answer("<p class=card>Found</p>", { ms: 200 }) },
    steps: [visit(), { type: "write_input", field_name: "Search", value: "lamp" }, cardList],
    rows: [{ name: "Found" }],
  },
  "an old value is not taken for the one that comes with data, or with the page that these lead to": {
    routes: {
      "/here-then": again("document.querySelector('h1').textContent = 'New here'"),
      "/there-then": again("location = '/new'"),
      "/new": "<h1>New there</h1>",
      "/data": answer("{}", { ms: 500 }),
    },
    steps: [
      visit("/here-then"),
      { type: "click", field_name: "Go" },
      { type: "get_text", field_name: "here", selector: "h1" },
      visit("/there-then"),
      { type: "click", field_name: "Go" },
      { type: "get_text", field_name: "there", selector: "h1" },
    ],
    rows: [{ here: "New here", there: "New there" }],
  },
  "a page that is left at the very end of a wait for its list leaves it to the next page": {
    html: `${cards(1, 1)}<button onclick="setTimeout(() => { location = '/went'; }, 100)">Go</button><script>
      onpagehide = () => { const end = Date.now() + 1000; while (Date.now() < end); };</script>`,
    routes: { "/went": cards(1, 2) },
    steps: [visit(), { type: "click", field_name: "Go" }, cardList],
    rows: lamps(1, 2),
    slow: STUCK,
  },
  "an input that has another name once it has the focus": {
    html: `<label for=day>Day</label> <input id=day><div id=list></div><script>
      day.onfocus = () => day.setAttribute("aria-label", "Use the arrow keys");
      day.onkeydown = ({ key }) => { if (key === "Enter") list.innerHTML = '${cards(1, 2)}'; };</script>`,
    steps: [visit(), { type: "write_input", field_name: "Day", value: "x", submit: true }, cardList],
    rows: lamps(1, 2),
  },
} satisfies Pages;
