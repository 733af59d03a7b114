import { books, orders, people } from "../data.ts";
import type { Task } from "../task.ts";
import { cardRows, cards, columns, list, rowsOf } from "./definitions.ts";

const next = { type: "next_button", field_name: "Next" } as const;

/** Tasks for consent banners, dialogs and tabs. */
export const overlays: Task[] = [
  {
    name: "CookieConsent: accept, and the list loads",
    library: "vanilla-cookieconsent",
    page: "vanilla-cookieconsent",
    steps: [
      { type: "click", field_name: "Accept all", optional: true },
      list(".book", { title: "b", price: "i" }),
    ],
    expected: rowsOf(books.slice(0, 30), "title", "price"),
    act: (page) => page.getByRole("button", { name: "Accept all" }).first().click(),
  },
  {
    name: "Cookie Consent: a banner over the pager",
    library: "cookieconsent",
    page: "cookieconsent",
    steps: [cards],
    pagination: next,
    expected: cardRows(96),
    act: (page) => page.getByRole("button", { name: "dismiss cookie message" }).click(),
  },
  {
    name: "Cookie Consent: the banner is closed first",
    library: "cookieconsent",
    page: "cookieconsent",
    steps: [{ type: "click", field_name: "Got it!", optional: true }, cards],
    pagination: next,
    expected: cardRows(96),
    act: (page) => page.getByText("Got it!").click(),
  },
  {
    name: "SweetAlert2: a newsletter that comes later",
    library: "sweetalert2",
    page: "sweetalert2",
    steps: [{ type: "click", field_name: "No, thanks", optional: true }, cards],
    pagination: next,
    expected: cardRows(96),
    act: (page) => page.getByRole("button", { name: "No, thanks" }).click(),
  },
  {
    name: "Micromodal: a list in a dialog",
    library: "micromodal",
    page: "micromodal",
    steps: [{ type: "click", field_name: "Show the staff" }, list("#modal-1-content li", { name: "" })],
    expected: rowsOf(people.slice(0, 12), "name"),
    act: (page) => page.getByText("Show the staff").click(),
  },
  {
    name: "Bootstrap: a list in a modal",
    library: "bootstrap",
    page: "bootstrap-modal",
    steps: [
      { type: "click", field_name: "Price list" },
      list(".modal-body .book", { title: "b", price: "i" }),
    ],
    expected: rowsOf(books.slice(0, 15), "title", "price"),
    act: (page) => page.getByText("Price list").click(),
  },
  {
    name: "Bootstrap: a list in a tab",
    library: "bootstrap",
    page: "bootstrap-tabs",
    steps: [{ type: "click", field_name: "Orders" }, list("#Orders tbody tr", columns("number", "city"))],
    expected: rowsOf(orders.slice(0, 20), "number", "city"),
    act: (page) => page.getByRole("tab", { name: "Orders" }).click(),
  },
  {
    name: "Shoelace: cards in a tab",
    library: "@shoelace-style/shoelace",
    page: "shoelace-tabs",
    steps: [
      { type: "click", field_name: "Staff" },
      list("sl-card.person", { name: "[slot=header]", office: ".office" }),
    ],
    expected: rowsOf(people, "name", "office"),
    act: (page) => page.getByRole("tab", { name: "Staff" }).click(),
  },
];
