import { cardList, type Pages, visit } from "../page.ts";
import { answer } from "../parts/documents.ts";

/* Pages whose only scripts are in attributes. They change what the server sent as any script does. */

const CHANGE = "for (const at of document.querySelectorAll('.card')) at.textContent += ' sold'";

/** What has the attribute, around the rows of a page. */
const KINDS: ((rows: string) => string)[] = [
  (rows) => `<body onload="${CHANGE}">${rows}`,
  (rows) => `<body onload="setTimeout(() => { ${CHANGE} }, 800)">${rows}`,
  (rows) => `<link rel=stylesheet href="/handler.css" onload="${CHANGE}">${rows}`,
  (rows) => `<link rel=stylesheet href="/none.css" onerror="${CHANGE}">${rows}`,
  (rows) => `${rows}<details open ontoggle="${CHANGE}"><summary>More</summary></details>`,
  (rows) => `${rows}<iframe srcdoc="<p>Frame</p>" onload="${CHANGE}"></iframe>`,
  (rows) => `${rows}<svg onload="${CHANGE}"></svg>`,
];

export default {
  "a list whose pages have scripts in attributes": {
    routes: {
      "/handler.css": answer("p{color:red}", { type: "text/css" }),
      ...Object.fromEntries(
        KINDS.map((kind, index) => {
          const n = index + 1;
          const rows = `<ul><li><b class=card>Lamp ${n}</b><li><b class=card>Chair ${n}</b></ul>`;
          const next = n < KINDS.length ? `<a class=next href="/${n + 1}">Next</a>` : "";
          return [`/${n}`, `<!doctype html><meta charset=utf-8>${kind(rows + next)}`];
        }),
      ),
    },
    steps: [visit("/1"), cardList],
    pagination: { type: "next_button", selector: ".next" },
    rows: KINDS.flatMap((_, index) => [`Lamp ${index + 1} sold`, `Chair ${index + 1} sold`]).map((name) => ({
      name,
    })),
    engines: ["browser", "auto"],
  },
} satisfies Pages;
