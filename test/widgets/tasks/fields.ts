import { events } from "../data.ts";
import type { Task } from "../task.ts";
import { booksOf, genreList, list, rowsOf } from "./definitions.ts";

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
    steps: [{ type: "click", field_name: "Genre" }, { type: "click", field_name: "Travel" }, genreList],
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
    steps: [
      { type: "write_input", field_name: "Genre", value: "Fant" },
      { type: "press_key", value: "ArrowDown" },
      { type: "press_key", value: "Enter" },
      genreList,
    ],
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
    steps: [{ type: "click", field_name: "Day" }, { type: "click", field_name: "March 17, 2026" }, eventList],
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
    steps: [{ type: "write_input", field_name: "Day", value: "2026-03-24", submit: true }, eventList],
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
    steps: [
      { type: "click", field_name: "Day" },
      { type: "click", selector: ".datepicker-cell.day:not(.prev):text-is('12')" },
      eventList,
    ],
    expected: eventsOn("2026-03-12"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator(".datepicker-cell.day:not(.prev)", { hasText: /^12$/ }).first().click();
    },
  },
  {
    name: "flatpickr: type a day as it is shown",
    library: "flatpickr",
    page: "flatpickr-text",
    steps: [{ type: "write_input", field_name: "Day", value: "March 17, 2026", submit: true }, eventList],
    expected: eventsOn("2026-03-17"),
    async act(page) {
      const field = page.locator("input.form-control, input.input").last();
      await field.fill("March 17, 2026");
      await field.press("Enter");
    },
  },
  {
    name: "Pikaday: choose a day",
    library: "pikaday",
    page: "pikaday",
    steps: [
      { type: "click", field_name: "Day" },
      { type: "click", selector: "[data-pika-day='17']" },
      eventList,
    ],
    expected: eventsOn("2026-03-17"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator("[data-pika-day='17']").click();
    },
  },
  {
    name: "Air Datepicker: choose a day",
    library: "air-datepicker",
    page: "air-datepicker",
    steps: [
      { type: "click", field_name: "Day" },
      { type: "click", selector: ".air-datepicker-cell[data-date='17'][data-month='2']" },
      eventList,
    ],
    expected: eventsOn("2026-03-17"),
    async act(page) {
      await page.locator("#day").click();
      await page.locator(".air-datepicker-cell[data-date='17'][data-month='2']").click();
    },
  },
  {
    name: "International Telephone Input: a number tells its country",
    library: "intl-tel-input",
    page: "intl-tel-input",
    steps: [{ type: "write_input", field_name: "Phone", value: "+49 30 123456" }, genreList],
    expected: booksOf("Crime"),
    act: (page) => page.locator("#phone").pressSequentially("+4930123456"),
  },
  {
    name: "International Telephone Input: choose a country",
    library: "intl-tel-input",
    page: "intl-tel-input",
    steps: [{ type: "select_dropdown", selector: ".iti__selected-country", value: "France" }, genreList],
    expected: booksOf("Poetry"),
    async act(page) {
      await page.locator(".iti__selected-country").click();
      await page.locator(".iti__country", { hasText: "France" }).first().click();
    },
  },
];
