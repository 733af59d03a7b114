import { events } from "../data.ts";
import type { Task } from "../task.ts";
import { booksOf, genreList, list, rowsOf, visit } from "./definitions.ts";

const eventList = list("#list .event", { name: "b", date: "i" });
const eventsOn = (day: string) =>
  rowsOf(
    events.filter(({ date }) => date === day),
    "name",
    "date",
  );

/** Tasks for inputs and date pickers. */
export const fields: Task[] = [
  {
    name: "Bootstrap: choose a genre by two clicks",
    library: "bootstrap",
    page: "bootstrap-dropdown",
    definition: {
      steps: [
        visit("bootstrap-dropdown"),
        { type: "click", field_name: "Genre" },
        { type: "click", field_name: "Travel" },
        genreList,
      ],
    },
    expected: booksOf("Travel"),
    async act(page) {
      await page.getByRole("button", { name: "Genre" }).click();
      await page.locator(".dropdown-item").getByText("Travel").click();
    },
  },
  {
    name: "Awesomplete: type and take the suggestion",
    library: "awesomplete",
    page: "awesomplete",
    definition: {
      steps: [
        visit("awesomplete"),
        { type: "write_input", field_name: "Genre", value: "Fant" },
        { type: "press_key", value: "ArrowDown" },
        { type: "press_key", value: "Enter" },
        genreList,
      ],
    },
    expected: booksOf("Fantasy"),
    async act(page) {
      await page.getByLabel("Genre").pressSequentially("Fant");
      await page.getByRole("option").first().click();
    },
  },
  {
    name: "flatpickr: choose a day",
    library: "flatpickr",
    page: "flatpickr",
    definition: {
      steps: [
        visit("flatpickr"),
        { type: "click", field_name: "Day" },
        { type: "click", field_name: "March 17, 2026" },
        eventList,
      ],
    },
    expected: eventsOn("2026-03-17"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator("[aria-label='March 17, 2026']").click();
    },
  },
  {
    name: "vanillajs-datepicker: type a day",
    library: "vanillajs-datepicker",
    page: "vanillajs-datepicker",
    definition: {
      steps: [
        visit("vanillajs-datepicker"),
        { type: "write_input", field_name: "Day", value: "2026-03-24", submit: true },
        eventList,
      ],
    },
    expected: eventsOn("2026-03-24"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator("#day").pressSequentially("2026-03-24");
      await page.keyboard.press("Enter");
    },
  },
  {
    name: "vanillajs-datepicker: choose a day",
    library: "vanillajs-datepicker",
    page: "vanillajs-datepicker",
    definition: {
      steps: [
        visit("vanillajs-datepicker"),
        { type: "click", field_name: "Day" },
        { type: "click", selector: ".datepicker-cell.day:not(.prev):text-is('12')" },
        eventList,
      ],
    },
    expected: eventsOn("2026-03-12"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator(".datepicker-cell.day:not(.prev)", { hasText: /^12$/ }).first().click();
    },
  },
];
