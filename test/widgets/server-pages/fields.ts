import { events, genres } from "../data.ts";
import { html, jquery, type Render, script, style } from "./html.ts";

/**
 * A page with a field that filters the list below it by genre. `setup` is a script that turns the field into a widget.
 */
const filterPage = (title: string, head: string, field: string, setup: string) =>
  html(
    title,
    head,
    `<div>${field}</div>
<ul id="list"></ul>
<script>
const list = document.getElementById("list");
async function show(genre) {
  const response = await fetch("/data/books?" + new URLSearchParams(genre ? { genre } : { limit: 20 }));
  const { rows } = await response.json();
  list.innerHTML = rows.map(({ title, price }) => \`<li class="book"><b>\${title}</b> <i>\${price}</i></li>\`).join("");
}
show("");
${setup}
</script>`,
  );
const genreSelect = `<label for="genre">Genre</label>
<select id="genre" name="genre" style="width: 20rem"><option value="">All genres</option>${genres.map((genre) => `<option>${genre}</option>`).join("")}</select>`;

/**
 * A page with a date field that shows the events of the chosen day. `setup` is a script that turns it into a widget.
 */
function eventsPage(title: string, head: string, setup: string): string {
  return html(
    title,
    head,
    `<div><label for="day">Day</label> <input id="day" autocomplete="off"></div>
<ul id="list">${events
      .slice(0, 10)
      .map(({ name, date }) => `<li class="event"><b>${name}</b> <i>${date}</i></li>`)
      .join("")}</ul>
<script>
async function show(date) {
  const { rows } = await (await fetch("/data/events?date=" + date)).json();
  document.getElementById("list").innerHTML = rows.map(({ name, date }) => \`<li class="event"><b>\${name}</b> <i>\${date}</i></li>\`).join("");
}
${setup}
</script>`,
  );
}

/** Pages with a field that filters a list. */
export const fieldPages: Record<string, Render> = {
  choices: () =>
    filterPage(
      "Choices.js",
      style("choices.js/public/assets/styles/choices.min.css") +
        script("choices.js/public/assets/scripts/choices.min.js"),
      genreSelect,
      `const select = document.getElementById("genre");
new Choices(select);
select.addEventListener("change", () => show(select.value));`,
    ),
  "tom-select": () =>
    filterPage(
      "Tom Select",
      style("tom-select/dist/css/tom-select.css") + script("tom-select/dist/js/tom-select.complete.min.js"),
      genreSelect,
      `new TomSelect("#genre", { onChange: show });`,
    ),
  "tom-select-remote": () =>
    filterPage(
      "Tom Select: options from the server",
      style("tom-select/dist/css/tom-select.css") + script("tom-select/dist/js/tom-select.complete.min.js"),
      `<label for="genre">Genre</label> <select id="genre" placeholder="Type a genre..."></select>`,
      `new TomSelect("#genre", {
  valueField: "name",
  labelField: "name",
  searchField: "name",
  load(query, callback) {
    fetch("/data/genres?q=" + encodeURIComponent(query))
      .then((response) => response.json())
      .then(({ rows }) => callback(rows), () => callback());
  },
  onChange: show,
});`,
    ),
  select2: () =>
    filterPage(
      "Select2",
      style("select2/dist/css/select2.min.css") + jquery + script("select2/dist/js/select2.min.js"),
      genreSelect,
      `$(document).ready(() => { $("#genre").select2().on("change", (event) => show(event.target.value)); });`,
    ),
  "slim-select": () =>
    filterPage(
      "Slim Select",
      style("slim-select/dist/slimselect.css") + script("slim-select/dist/slimselect.js"),
      genreSelect,
      `new SlimSelect({ select: "#genre", events: { afterChange: ([option]) => show(option.value) } });`,
    ),
  chosen: () =>
    filterPage(
      "Chosen",
      style("chosen-js/chosen.min.css") + jquery + script("chosen-js/chosen.jquery.min.js"),
      genreSelect,
      `$("#genre").chosen().change((event) => show(event.target.value));`,
    ),
  "shoelace-select": () =>
    filterPage(
      "Shoelace: select",
      `${style("@shoelace-style/shoelace/cdn/themes/light.css")}<script type="module" src="/npm/@shoelace-style/shoelace/cdn/shoelace-autoloader.js"></script>`,
      `<sl-select label="Genre" placeholder="Choose a genre">${genres.map((genre) => `<sl-option value="${genre}">${genre}</sl-option>`).join("")}</sl-select>`,
      `document.querySelector("sl-select").addEventListener("sl-change", (event) => show(event.target.value));`,
    ),
  "bootstrap-dropdown": () =>
    filterPage(
      "Bootstrap: dropdown",
      style("bootstrap/dist/css/bootstrap.min.css") + script("bootstrap/dist/js/bootstrap.bundle.min.js"),
      `<div class="dropdown"><button class="btn btn-secondary dropdown-toggle" type="button" data-bs-toggle="dropdown" aria-expanded="false">Genre</button>
<ul class="dropdown-menu">${genres.map((genre) => `<li><a class="dropdown-item" href="#">${genre}</a></li>`).join("")}</ul></div>`,
      `for (const item of document.querySelectorAll(".dropdown-item"))
  item.addEventListener("click", (event) => {
    event.preventDefault();
    show(item.textContent);
  });`,
    ),
  awesomplete: () =>
    filterPage(
      "Awesomplete",
      style("awesomplete/awesomplete.css") + script("awesomplete/awesomplete.min.js"),
      `<label for="genre">Genre</label> <input id="genre" class="awesomplete" data-list="${genres.join(", ")}">`,
      `document.getElementById("genre").addEventListener("awesomplete-selectcomplete", (event) => show(event.text.value));`,
    ),
  "accessible-autocomplete": () =>
    filterPage(
      "Accessible autocomplete",
      style("accessible-autocomplete/dist/accessible-autocomplete.min.css") +
        script("accessible-autocomplete/dist/accessible-autocomplete.min.js"),
      `<label for="genre">Select a genre</label><div id="container"></div>`,
      `accessibleAutocomplete({
  element: document.getElementById("container"),
  id: "genre",
  source: ${JSON.stringify(genres)},
  onConfirm: (genre) => genre && show(genre),
});`,
    ),
  flatpickr: () =>
    eventsPage(
      "flatpickr",
      style("flatpickr/dist/flatpickr.min.css") + script("flatpickr/dist/flatpickr.min.js"),
      `flatpickr("#day", { onChange: (dates, day) => show(day), defaultDate: "2026-03-01" });`,
    ),
  "flatpickr-text": () =>
    eventsPage(
      "flatpickr: a text for people",
      style("flatpickr/dist/flatpickr.min.css") + script("flatpickr/dist/flatpickr.min.js"),
      `flatpickr("#day", { onChange: (dates, day) => show(day), altInput: true, altFormat: "F j, Y", allowInput: true });`,
    ),
  pikaday: () =>
    eventsPage(
      "Pikaday",
      style("pikaday/css/pikaday.css") + script("pikaday/pikaday.js"),
      `new Pikaday({ field: document.getElementById("day"), defaultDate: new Date(2026, 2, 1),
  onSelect: (day) => show(new Date(day.getTime() - day.getTimezoneOffset() * 60000).toISOString().slice(0, 10)) });`,
    ),
  "air-datepicker": () =>
    eventsPage(
      "Air Datepicker",
      style("air-datepicker/air-datepicker.css") + script("air-datepicker/air-datepicker.js"),
      `new AirDatepicker("#day", { startDate: new Date(2026, 2, 1), dateFormat: "yyyy-MM-dd", autoClose: true,
  onSelect: ({ formattedDate }) => show(formattedDate) });`,
    ),
  "intl-tel-input": () =>
    filterPage(
      "International Telephone Input",
      style("intl-tel-input/dist/css/intlTelInput.min.css") +
        script("intl-tel-input/dist/js/intlTelInputWithUtils.min.js"),
      `<label for="phone">Phone</label> <input id="phone" type="tel">`,
      `const input = document.getElementById("phone");
const phone = window.intlTelInput(input, { initialCountry: "us", separateDialCode: true });
const genresOf = { de: "Crime", fr: "Poetry", us: "Travel" };
input.addEventListener("countrychange", () => show(genresOf[phone.getSelectedCountry()?.iso2] ?? ""));`,
    ),
  selectize: () =>
    filterPage(
      "Selectize",
      style("@selectize/selectize/dist/css/selectize.css") +
        jquery +
        script("@selectize/selectize/dist/js/selectize.min.js"),
      genreSelect,
      `$("#genre").selectize({ onChange: show });`,
    ),
  "nice-select2": () =>
    filterPage(
      "Nice Select 2",
      style("nice-select2/dist/css/nice-select2.css") + script("nice-select2/dist/js/nice-select2.js"),
      genreSelect,
      `const select = document.getElementById("genre");
NiceSelect.bind(select);
select.addEventListener("change", () => show(select.value));`,
    ),
  "virtual-select": () =>
    filterPage(
      "Virtual Select",
      style("virtual-select-plugin/dist/virtual-select.min.css") +
        script("virtual-select-plugin/dist/virtual-select.min.js"),
      `<label for="genre">Genre</label><div id="genre"></div>`,
      `VirtualSelect.init({ ele: "#genre", placeholder: "Genre",
  options: [...Array.from({ length: 200 }, (_, n) => ({ label: "Other " + n, value: "" })), ...${JSON.stringify(genres)}.map((label) => ({ label, value: label }))] });
document.getElementById("genre").addEventListener("change", (event) => show(event.target.value));`,
    ),
  selectmenu: () =>
    filterPage(
      "jQuery UI Selectmenu",
      style("jquery-ui/dist/themes/base/jquery-ui.min.css") +
        jquery +
        script("jquery-ui/dist/jquery-ui.min.js"),
      genreSelect,
      `$("#genre").selectmenu({ change: (event, { item }) => show(item.value) });`,
    ),
  "vanillajs-datepicker": () =>
    eventsPage(
      "vanillajs-datepicker",
      style("vanillajs-datepicker/dist/css/datepicker.min.css") +
        script("vanillajs-datepicker/dist/js/datepicker.min.js"),
      `const input = document.getElementById("day");
new Datepicker(input, { format: "yyyy-mm-dd", defaultViewDate: "2026-03-01", autohide: true });
input.addEventListener("changeDate", () => show(input.value));`,
    ),
};
