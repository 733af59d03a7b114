import type { Person } from "./person.ts";

/** A page that needs more than the first proposal, and what a person does on it. */
export interface NewPage {
  name: string;
  /** HTML by address: what the page and those that it leads to have. */
  html: (page: Asked) => string;
  rows: number;
  texts: readonly string[];
  /** Texts that are in one row each. */
  together?: readonly (readonly string[])[];
  /** Names of columns that the rows have. */
  columns?: readonly string[];
  act?: (person: Person) => Promise<void>;
}

/** What is asked of the site: the rest of the path, the page's number, and whether the visitor has signed in. */
export interface Asked {
  rest: string;
  page: number;
  isSignedIn: boolean;
}

/** The secret that the person has stored for the site. */
export const SECRET = { name: "bench_password", value: "correct horse battery" };

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);
const list = (items: readonly string[], tag = "li") =>
  `<main><h1>Catalogue</h1><ul class="items">${items.map((item) => `<${tag} class="item">${item}</${tag}>`).join("")}</ul></main>`;
const card = (n: number, more = "") => `<h3>Lamp ${n}</h3><p class="price">€ ${n},50</p>${more}`;
const lamps = (n: number) => Array.from({ length: n }, (_, index) => `Lamp ${index + 1}`);

const sparse = (name: string, value: string, few: readonly number[]): NewPage => ({
  name: `sparse: ${name}`,
  html: () => list(numbers(12).map((n) => card(n, few.includes(n) ? value : ""))),
  rows: 12,
  texts: lamps(12),
  together: few.map((n) => [`Lamp ${n}`, value.replace(/<[^>]*>/g, "")]),
  act: (person) => person.addColumn(value.replace(/<[^>]*>/g, "")),
});

const job = (n: number, part: (label: string, text: string) => string) =>
  part("Title", `Engineer ${n}`) +
  part("Town", `Town ${n}`) +
  (n % 3 === 0 ? "" : part("Pay", `€ ${n}0,000`)) +
  part("Hours", n % 2 === 0 ? "Full-time" : "Part-time");
const mixed = (name: string, part: (label: string, text: string) => string, wrap = list): NewPage => ({
  name: `mixed: ${name}`,
  html: () => wrap(numbers(9).map((n) => job(n, part))),
  rows: 9,
  texts: numbers(9).map((n) => `Engineer ${n}`),
  together: [
    ["Engineer 1", "€ 10,000", "Part-time"],
    ["Engineer 6", "Full-time"],
  ],
});

const form = (fields: string, button: string) =>
  `<main><h1>Members</h1><form method="post" action="?">${fields}<button>${button}</button></form></main>`;
const behindLogin = (name: string, signIn: string, act: NewPage["act"], pages = 1): NewPage => ({
  name: `login: ${name}`,
  html: ({ isSignedIn, page }) =>
    isSignedIn
      ? list(numbers(8, 8 * (page - 1) + 1).map((n) => card(n))) +
        (page < pages ? `<nav><a href="?page=${page + 1}">Next</a></nav>` : "")
      : signIn,
  rows: 8 * pages,
  texts: lamps(8 * pages),
  ...(act && { act }),
});
const signIn =
  (label: string): NewPage["act"] =>
  async (person) => {
    if (label !== "") await person.type(label, "ada@example.org");
    await person.typeSecret(label === "" ? "Access code" : "Password", SECRET.name);
  };

const LOADED = 30;
/** A button that adds ten rows, until all are there. */
const loadMore = (name: string, label: string): NewPage => ({
  name: `load more: ${name}`,
  html: () =>
    `${list(numbers(10).map((n) => card(n)))}<p><button id="more">${label.replace("LEFT", "20")}</button></p><script>
    let shown = 10;
    const more = document.getElementById("more");
    more.onclick = () => {
      const next = Array.from({ length: 10 }, (_, at) => shown + at + 1);
      for (const n of next)
        document.querySelector(".items").insertAdjacentHTML("beforeend", '<li class="item"><h3>Lamp ' + n + '</h3><p class="price">€ ' + n + ',50</p></li>');
      shown += 10;
      more.textContent = ${JSON.stringify(label)}.replace("LEFT", String(${LOADED} - shown));
      if (shown >= ${LOADED}) more.remove();
    };</script>`,
  rows: LOADED,
  texts: lamps(LOADED),
});

const withDetails = (name: string, facts: (n: number) => string, column: string): NewPage => ({
  name: `details: ${name}`,
  html: ({ rest }) =>
    rest === ""
      ? list(
          numbers(6).map((n) => `<h3><a href="lamp-${n}">Lamp ${n}</a></h3><p class="price">€ ${n},50</p>`),
        )
      : `<main><h1>${rest}</h1>${facts(Number(rest.split("-")[1]))}</main>`,
  rows: 6,
  texts: lamps(6),
  together: [["Lamp 4", "GL-400"]],
  columns: [column],
  act: (person) => person.pickDetail("GL-100"),
});

export const newPages: readonly NewPage[] = [
  sparse("an old price in one of 12 rows", '<s class="was">€ 99,00</s>', [5]),
  sparse("a badge in two of 12 rows", '<b class="badge">Sale</b>', [3, 9]),
  sparse("a rating in four of 12 rows", '<span class="rating">4.5 of 5</span>', [1, 4, 7, 11]),
  mixed(
    "a missing value, with classes",
    (label, text) => `<div class="${label.toLowerCase()}">${text}</div>`,
  ),
  mixed(
    "a missing value, labels beside the values",
    (label, text) => `<dt>${label}</dt><dd>${text}</dd>`,
    (items) => list(items.map((item) => `<dl>${item}</dl>`)),
  ),
  {
    ...mixed("an empty cell of a table", (_, text) => text),
    html: () =>
      `<main><table><thead><tr><th>Title<th>Town<th>Pay<th>Hours</thead><tbody>${numbers(9)
        .map(
          (n) =>
            `<tr><td>Engineer ${n}<td>Town ${n}<td>${n % 3 === 0 ? "" : `€ ${n}0,000`}<td>${n % 2 === 0 ? "Full-time" : "Part-time"}</tr>`,
        )
        .join("")}</tbody></table></main>`,
    columns: ["title", "pay", "hours"],
  },
  behindLogin(
    "e-mail and password",
    form(
      "<label>E-mail <input name=email type=email></label><label>Password <input name=password type=password></label>",
      "Sign in",
    ),
    signIn("E-mail"),
  ),
  behindLogin(
    "a user name, and two pages",
    form(
      "<label>User name <input name=user></label><label>Password <input name=password type=password></label>",
      "Log in",
    ),
    signIn("User name"),
    2,
  ),
  behindLogin(
    "an access code",
    form("<label>Access code <input name=password type=password></label>", "Enter"),
    signIn(""),
  ),
  loadMore("a button", "Load more"),
  loadMore("a button that counts", "Show more (LEFT left)"),
  loadMore("a button in German", "Mehr anzeigen"),
  withDetails(
    "a definition list",
    (n) => `<dl><dt>Number</dt><dd>GL-${n}00</dd><dt>Colour</dt><dd>Blue</dd></dl>`,
    "number",
  ),
  withDetails(
    "a table",
    (n) => `<table><tr><th>Colour</th><td>Blue</td></tr><tr><th>Article</th><td>GL-${n}00</td></tr></table>`,
    "article",
  ),
  {
    name: "rows without a title, which are advertisements",
    html: () =>
      list(
        numbers(12).flatMap((n) => [
          card(n),
          ...(n % 4 === 0 ? ['<p class="ad">Buy now, pay later. Really!</p>'] : []),
        ]),
      ),
    rows: 12,
    texts: lamps(12),
    act: (person) => person.keepComplete(),
  },
];
