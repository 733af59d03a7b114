import type { Task } from "../task.ts";
import { booksOf, genreList } from "./definitions.ts";

/**
 * A task that chooses a genre in a dropdown and reads its books. `clicks` are the selectors of the elements that a user
 * clicks: one that opens the dropdown, and one of the options. Undefined if the options appear only after typing.
 */
const dropdown = (
  name: string,
  library: string,
  page: string,
  value: string,
  field_name: string,
  clicks: readonly [opener: string, option: string] | undefined,
): Task => ({
  name: `${name}: choose a genre`,
  library,
  page,
  steps: [{ type: "select_dropdown", field_name, value }, genreList],
  expected: booksOf(value),
  ...(clicks && {
    async act(opened) {
      await opened.locator(clicks[0]).first().click();
      await opened.locator(clicks[1], { hasText: value }).first().click();
    },
  }),
});

export const dropdowns: Task[] = [
  dropdown("Choices.js", "choices.js", "choices", "Poetry", "Genre", [
    ".choices",
    ".choices__item--selectable",
  ]),
  dropdown("Tom Select", "tom-select", "tom-select", "Crime", "Genre", [
    ".ts-control",
    ".ts-dropdown .option",
  ]),
  {
    ...dropdown(
      "Tom Select, options from the server",
      "tom-select",
      "tom-select-remote",
      "Poetry",
      "Genre",
      undefined,
    ),
    async act(page) {
      await page.locator(".ts-control input").pressSequentially("Poe");
      await page.locator(".ts-dropdown").getByText("Poetry").click();
    },
  },
  dropdown("Select2", "select2", "select2", "Travel", "Genre", [
    ".select2-selection",
    ".select2-results__option",
  ]),
  dropdown("Slim Select", "slim-select", "slim-select", "Fantasy", "Genre", [".ss-main", ".ss-option"]),
  dropdown("Chosen", "chosen-js", "chosen", "Romance", "Genre", [".chosen-single", ".chosen-results li"]),
  dropdown("Shoelace", "@shoelace-style/shoelace", "shoelace-select", "Biography", "Genre", [
    "sl-select",
    "sl-option",
  ]),
  dropdown("Bootstrap", "bootstrap", "bootstrap-dropdown", "Poetry", "Genre", ["button", ".dropdown-item"]),
  {
    ...dropdown(
      "Accessible autocomplete",
      "accessible-autocomplete",
      "accessible-autocomplete",
      "Romance",
      "Select a genre",
      undefined,
    ),
    async act(page) {
      await page.getByLabel("Select a genre").pressSequentially("Rom");
      await page.getByRole("option", { name: "Romance" }).click();
    },
  },
  dropdown("Ant Design", "antd", "antd-select", "Poetry", "Select a genre", [
    ".ant-select",
    ".ant-select-item-option",
  ]),
  dropdown("react-select", "react-select", "react-select", "Crime", "Select...", [
    "[role=combobox]",
    "[role=option]",
  ]),
  {
    ...dropdown(
      "react-select, options from the server",
      "react-select",
      "react-select-async",
      "Crime",
      "Genre",
      ["[role=combobox]", "[role=option]"],
    ),
    async act(page) {
      await page.getByLabel("Genre").pressSequentially("Cri");
      await page.getByRole("option", { name: "Crime" }).click();
    },
  },
  dropdown("Headless UI", "@headlessui/react", "headlessui-listbox", "Fantasy", "Genre", [
    "button",
    "[role=option]",
  ]),
  dropdown("MUI Select", "@mui/material", "mui-select", "Travel", "Genre", [
    "[role=combobox]",
    "[role=option]",
  ]),
  dropdown("MUI Autocomplete", "@mui/material", "mui-autocomplete", "Biography", "Genre", [
    "input",
    "[role=option]",
  ]),
  dropdown("Radix", "radix-ui", "radix-select", "Romance", "Genre", ["button", "[role=option]"]),
  dropdown("Vuetify", "vuetify", "vuetify-select", "Crime", "Genre", [".v-select", ".v-list-item"]),
  dropdown("Element Plus", "element-plus", "element-plus-select", "Poetry", "Select", [
    ".el-select",
    ".el-select-dropdown__item",
  ]),
  dropdown("PrimeVue", "primevue", "primevue-select", "Travel", "Select a Genre", [
    ".p-select",
    ".p-select-option",
  ]),
  dropdown("vue-select", "vue-select", "vue-select", "Romance", "Genre", [
    ".vs__dropdown-toggle",
    ".vs__dropdown-option",
  ]),
  dropdown("svelte-select", "svelte-select", "svelte-select", "Fantasy", "Select a genre", [
    ".svelte-select",
    ".list-item",
  ]),
  dropdown("Kobalte", "@kobalte/core", "solid-kobalte", "Biography", "Genre", ["button", "[role=option]"]),
  dropdown("Angular Material", "@angular/material", "angular-material-select", "Poetry", "Genre", [
    "mat-select",
    "mat-option",
  ]),
  dropdown("Ionic", "@ionic/core", "ionic-select", "Crime", "Genre", [
    "ion-select",
    "ion-select-popover ion-item",
  ]),
  dropdown("Selectize", "@selectize/selectize", "selectize", "Crime", "Genre", [
    ".selectize-input",
    ".selectize-dropdown .option",
  ]),
  dropdown("Nice Select 2", "nice-select2", "nice-select2", "Travel", "Genre", [".nice-select", ".option"]),
  {
    ...dropdown("Virtual Select", "virtual-select-plugin", "virtual-select", "Romance", "Genre", undefined),
    async act(page) {
      await page.locator(".vscomp-toggle-button").click();
      await page.locator(".vscomp-options-container").hover();
      await page.mouse.wheel(0, 20_000);
      await page.locator(".vscomp-option", { hasText: "Romance" }).click();
    },
  },
  dropdown("jQuery UI", "jquery-ui", "selectmenu", "Fantasy", "Genre", [
    ".ui-selectmenu-button",
    ".ui-menu-item",
  ]),
  dropdown("Downshift", "downshift", "downshift", "Poetry", "Genre", ["[role=combobox]", "[role=option]"]),
  dropdown("Material Web", "@material/web", "material-web-select", "Biography", "Genre", [
    "md-outlined-select",
    "md-select-option",
  ]),
];
