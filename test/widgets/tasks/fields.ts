import { events } from "../data.ts";
import type { Task } from "../task.ts";
import { booksOf, genreList, list, rowsOf, visit } from "./definitions.ts";

/** Choosing a genre from a dropdown shows its books. */
const dropdown = (
  name: string,
  library: string,
  page: string,
  value: string,
  act: Task["act"] & {},
  field_name = "Genre",
): Task => ({
  name: `${name}: choose a genre`,
  library,
  page,
  definition: { steps: [visit(page), { type: "select_dropdown", field_name, value }, genreList] },
  expected: booksOf(value),
  act,
});

const eventList = list("#list .event", { name: "b", date: "i" });
const eventsOn = (day: string) =>
  rowsOf(
    events.filter(({ date }) => date === day),
    "name",
    "date",
  );

/** Inputs, dropdowns and dates. */
export const fields: Task[] = [
  dropdown("Choices.js", "choices.js", "choices", "Poetry", async (page) => {
    await page.locator(".choices").click();
    await page.locator(".choices__list--dropdown").getByText("Poetry").click();
  }),
  dropdown("Tom Select", "tom-select", "tom-select", "Crime", async (page) => {
    await page.locator(".ts-control").click();
    await page.locator(".ts-dropdown").getByText("Crime").click();
  }),
  dropdown(
    "Tom Select, options from the server",
    "tom-select",
    "tom-select-remote",
    "Poetry",
    async (page) => {
      await page.locator(".ts-control input").pressSequentially("Poe");
      await page.locator(".ts-dropdown").getByText("Poetry").click();
    },
  ),
  dropdown("Select2", "select2", "select2", "Travel", async (page) => {
    await page.locator(".select2-selection").click();
    await page.locator(".select2-results").getByText("Travel").click();
  }),
  dropdown("Slim Select", "slim-select", "slim-select", "Fantasy", async (page) => {
    await page.locator(".ss-main").click();
    await page.locator(".ss-content").getByText("Fantasy").click();
  }),
  dropdown("Chosen", "chosen-js", "chosen", "Romance", async (page) => {
    await page.locator(".chosen-single").click();
    await page.locator(".chosen-results").getByText("Romance").click();
  }),
  dropdown("Shoelace", "@shoelace-style/shoelace", "shoelace-select", "Biography", async (page) => {
    await page.locator("sl-select").click();
    await page.locator("sl-option").getByText("Biography").click();
  }),
  dropdown("Bootstrap", "bootstrap", "bootstrap-dropdown", "Poetry", async (page) => {
    await page.getByRole("button", { name: "Genre" }).click();
    await page.locator(".dropdown-item").getByText("Poetry").click();
  }),
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
  dropdown(
    "Accessible autocomplete",
    "accessible-autocomplete",
    "accessible-autocomplete",
    "Romance",
    async (page) => {
      await page.getByLabel("Select a genre").pressSequentially("Rom");
      await page.getByRole("option", { name: "Romance" }).click();
    },
    "Select a genre",
  ),
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
